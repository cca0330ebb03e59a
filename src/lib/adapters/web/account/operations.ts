import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { DAY } from '#lib/domain/time.ts';
import { responds, respondsStatus, takes, type Operation } from '../api/operation.ts';
import { image, NAME_RULE, nameField } from '../api/fields.ts';

/** `email` is read only to reject it: this call cannot change it. */
const updateUserBody = z.object({
	name: nameField.optional().describe(`May be empty. ${NAME_RULE}`),
	image: image.nullish().describe('URL of a picture. Null removes it.'),
	email: z
		.unknown()
		.optional()
		.describe('Always refused: use a code or a link to change the email address.')
});

export const updateUser = {
	method: 'POST',
	path: '/api/auth/update-user',
	summary: 'Change name or picture',
	description:
		'Changes the given fields and leaves the others. A body without any field to change is refused with NO_FIELDS_TO_UPDATE. A body with `email` is refused with EMAIL_CAN_NOT_BE_UPDATED, and nothing is changed.',
	session: 'required',
	body: takes(updateUserBody, { name: 'Ada Lovelace' }),
	response: respondsStatus('The account is changed.'),
	errors: ['email_can_not_be_updated', 'no_fields_to_update']
} as const satisfies Operation;

export const deleteUser = {
	method: 'POST',
	path: '/api/auth/delete-user',
	summary: 'Delete the account',
	description: `Ends every session and hides the account immediately. For ${defaultPolicy.deletion.grace / DAY} days, signing in with \`restore\` restores it. After that it is permanently deleted.`,
	session: 'required',
	response: responds(
		'The account is deleted.',
		z.object({ success: z.literal(true), message: z.literal('User deleted') }),
		{ success: true, message: 'User deleted' }
	)
} as const satisfies Operation;

export const accountOperations = { updateUser, deleteUser };
