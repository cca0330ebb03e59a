import type { Challenge } from '#lib/domain/sign-in/challenge.ts';
import type { Tables } from '../sql.ts';

type Row = Tables['verification']['$inferSelect'];

export const toChallenge = ({ binding, sessionId, hash, ...row }: Row): Challenge => ({
	...row,
	boundTo: binding === '' ? null : binding,
	requestedBy: sessionId,
	codeHash: hash
});

export const toRow = ({ boundTo, requestedBy, codeHash, ...challenge }: Challenge): Row => ({
	...challenge,
	binding: boundTo ?? '',
	sessionId: requestedBy,
	hash: codeHash
});
