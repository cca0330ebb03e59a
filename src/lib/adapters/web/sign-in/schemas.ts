import { z } from 'zod';
import { messages } from '#lib/messages/messages.ts';

const errors = messages.errors;

/**
 * Only limits the size. The domain decides whether a text is an email address or a code. The limits
 * are generous, so that a typing error gets the domain's helpful message.
 */
const typedEmail = z.string().min(1, errors.emptyEmail).max(512, errors.invalidEmail);

/** An email address alone, as in the form that sends another code, where it is hidden. */
export const emailForm = z.object({ email: typedEmail });
/** The first step of sign-in, with consent if the page has a consent box. */
export const codeRequestForm = emailForm.extend({ consent: z.boolean().default(false) });
export const codeForm = z.object({
	email: typedEmail,
	code: z.string().min(1, messages.inputErrors.emptyCode).max(512, errors.invalidCode)
});

/** The forms on a page that knows the email address and must not show it. */
export const hiddenResendForm = emailForm.omit({ email: true });
export const hiddenCodeForm = codeForm.omit({ email: true });
