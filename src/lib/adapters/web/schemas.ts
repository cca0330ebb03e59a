import { z } from 'zod';
import { messages } from '#lib/messages/messages.ts';

const { errors } = messages;

/**
 * Bounds only: whether a text is an address or a code is for the domain to say. The bounds are
 * generous, so that a person's slip gets the domain's friendly words.
 */
const typedEmail = z.string().min(1, errors.emptyEmail).max(512, errors.invalidEmail);

export const emailForm = z.object({ email: typedEmail });
export const codeForm = z.object({
	email: typedEmail,
	code: z.string().min(1, errors.emptyCode).max(512, errors.invalidCode)
});

/** Text that every store can keep: no NUL, no half of a surrogate pair. */
const storable = (text: string): boolean => !/[\p{Surrogate}\0]/u.test(text);
const storableText = (max: number): z.ZodString =>
	z.string().max(max).refine(storable, 'Invalid characters');

export const sendCodeBody = z.object({ email: z.string(), type: z.string().optional() });

export const signInBody = z.object({
	email: z.string(),
	otp: z.string(),
	name: storableText(200).optional(),
	image: storableText(2048).nullish()
});
