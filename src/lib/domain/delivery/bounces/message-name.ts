import type { Email } from '../../email.ts';
import { parseEmailId, type EmailId } from '../../ids.ts';
import type { Signer } from '../../signer.ts';

/** The recipient is part of the signature, so the name of one email says nothing about another. */
const contextOf = (id: string, to: Email): string => `email ${id} to ${to}`;

/**
 * The part before the `@` in the Message-ID of an email. Its signature proves later that we sent
 * this email to this recipient, so nothing has to be stored for it.
 */
export const messageName = (signer: Signer, id: EmailId, to: Email): string =>
	`${id}.${signer.sign(contextOf(id, to))}`;

/**
 * The id of the email with this Message-ID, with or without brackets and domain. Null if we sent no
 * such email to this recipient.
 */
export const readMessageName = (signer: Signer, messageId: string, to: Email): EmailId | null => {
	const [, id = '', signature = ''] =
		/^<?([0-9a-f-]{36})\.([\w-]{43})(?:@[^\s<>]+)?>?$/.exec(messageId.trim()) ?? [];
	return signer.verify(signature, contextOf(id, to)) ? parseEmailId(id) : null;
};
