import type { Challenge } from '#lib/domain/challenge.ts';
import type { Tables } from './sql.ts';

type Row = Tables['verification']['$inferSelect'];

export const toChallenge = ({ binding, hash, ...row }: Row): Challenge => ({
	...row,
	boundTo: binding === '' ? null : binding,
	codeHash: hash
});

export const toRow = ({ boundTo, codeHash, ...challenge }: Challenge): Row => ({
	...challenge,
	binding: boundTo ?? '',
	hash: codeHash
});
