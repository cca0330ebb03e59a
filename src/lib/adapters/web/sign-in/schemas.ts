import { z } from 'zod';
import { MAX_NAME } from '#lib/domain/user.ts';
import { messages } from '#lib/messages/messages.ts';
import { nameSchema } from '../account/name-schema.ts';

const errors = messages.errors;

/**
 * Only limits the size. The domain decides whether a text is an email address or a code. The limits
 * are generous, so that a typing error gets the domain's helpful message.
 */
const typedEmail = z.string().min(1, errors.emptyEmail).max(512, errors.invalidEmail);

/** The form that sends another code. Its email address is hidden. */
export const resendForm = z.object({ email: typedEmail });
/** A new email address. `code` proves access to the current one, if that is required. */
export const newEmailForm = resendForm.extend({ code: z.string().max(512).default('') });
/** The first step of sign-in, with consent if the page has a consent box. */
export const codeRequestForm = resendForm.extend({ consent: z.boolean().default(false) });
export const codeForm = z.object({
	email: typedEmail,
	code: z.string().min(1, messages.inputErrors.emptyCode).max(512, errors.invalidCode)
});

export const nameForm = z.object({
	name: nameSchema({ too_long: errors.longName(MAX_NAME), unshowable: errors.invalidName })
});
/** A box that must be ticked deliberately. */
export const sureForm = z.object({ sure: z.boolean().refine((sure) => sure, errors.unsure) });
