import { z } from 'zod';
import { messages } from '#lib/messages/messages.ts';

const { errors } = messages;

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
	code: z.string().min(1, errors.emptyCode).max(512, errors.invalidCode)
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

/** Text that every store can keep: no NUL, no half of a surrogate pair. */
const storable = (text: string): boolean => !/[\p{Surrogate}\0]/u.test(text);
const storableText = (max: number): z.ZodString =>
	z.string().max(max).refine(storable, 'Invalid characters');

export const sendCodeBody = z.object({ email: z.string(), type: z.string().optional() });
export const checkCodeBody = z.object({ email: z.string(), type: z.string(), otp: z.string() });
export const verifyEmailBody = z.object({ email: z.string(), otp: z.string() });

export const signInBody = z.object({
	email: z.string(),
	otp: z.string(),
	name: storableText(LONGEST_NAME).optional(),
	image: storableText(2048).nullish(),
	restore: z.boolean().optional(),
	// Only `true` is a yes; anything else, of whatever type, is none.
	marketingOptIn: z.unknown().optional()
});

/** `otp` is a code from the current address, where the installation asks for one. */
export const newEmailBody = z.object({ newEmail: z.string(), otp: z.string().optional() });
export const changeByLinkBody = newEmailBody.extend({
	// It goes into a mail to somebody who has not agreed to any yet.
	callbackURL: z.string().max(512).optional()
});
export const changeByCodeBody = newEmailBody.extend({ otp: z.string() });
export const revokeSessionBody = z.object({ token: z.string() });
/** `email` is looked at only to say that it cannot be changed here. */
export const updateUserBody = z.object({
	name: storableText(LONGEST_NAME).optional(),
	image: storableText(2048).nullish(),
	email: z.unknown().optional()
});
