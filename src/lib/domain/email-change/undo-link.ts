import type { Brand } from '../brand.ts';
import type { UndoId } from '../ids.ts';
import type { Signer } from '../signer.ts';

/** The token in the link that undoes an email change. It signs nobody in. */
export type UndoToken = Brand<string, 'UndoToken'>;

const signedText = (id: string): string => JSON.stringify(['undo', id]);

/** Nobody can make a link from the stored id alone. */
export const undoToken = (signer: Signer, id: UndoId): UndoToken =>
	`${id}.${signer.sign(signedText(id))}` as UndoToken;

/** Null for any text that is no token of ours. */
export const undoIdOf = (signer: Signer, text: string): UndoId | null => {
	const [id, signature, ...rest] = text.split('.');
	if (id === undefined || signature === undefined || rest.length > 0) return null;
	return signer.verify(signature, signedText(id)) ? (id as UndoId) : null;
};
