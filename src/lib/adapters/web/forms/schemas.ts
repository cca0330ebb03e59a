import { z } from 'zod';
import { messages } from '#lib/messages/messages.ts';

const errors = messages.errors;

/**
 * Bounds only: whether a text is an address or a code is for the domain to say. The bounds are
 * generous, so that a person's slip gets the domain's friendly words.
 */
const typedEmail = z.string().min(1, errors.emptyEmail).max(512, errors.invalidEmail);

export const emailForm = z.object({ email: typedEmail });
/** A new address, and the code that proves the current one where it is asked for. */
export const newEmailForm = emailForm.extend({ code: z.string().max(512).default('') });
/** The first step of the flow, with the consent where one is asked for. */
export const entryForm = emailForm.extend({ consent: z.boolean().default(false) });
export const codeForm = z.object({
	email: typedEmail,
	code: z.string().min(1, messages.slips.emptyCode).max(512, errors.invalidCode)
});

const LONGEST_NAME = 200;
/** What shows nothing, breaks the line or turns it round. */
const UNSHOWABLE = /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

export const nameForm = z.object({
	name: z
		.string()
		.trim()
		.max(LONGEST_NAME, errors.longName(LONGEST_NAME))
		.refine((name) => !UNSHOWABLE.test(name), errors.invalidName)
});
/** A box that must be ticked on purpose. */
export const sureForm = z.object({ sure: z.boolean().refine((sure) => sure, errors.unsure) });
