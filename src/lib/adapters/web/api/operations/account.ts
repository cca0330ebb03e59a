import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { updateUserBody } from '../bodies.ts';
import { gives, takes, type Operation } from '../operation.ts';
import { statusShape, successShape } from '../shapes.ts';

export const updateUser = {
	id: 'updateUser',
	method: 'POST',
	path: '/api/auth/update-user',
	tag: 'Account',
	summary: 'Change name or picture',
	description:
		'Changes what is given and leaves the rest. Nothing to change is NO_FIELDS_TO_UPDATE; an `email` is EMAIL_CAN_NOT_BE_UPDATED, and then nothing is changed.',
	session: 'required',
	body: takes(updateUserBody, { name: 'Ada Lovelace' }),
	answer: gives('Changed.', statusShape, { status: true }),
	errors: ['email_can_not_be_updated', 'no_fields_to_update']
} as const satisfies Operation;

export const deleteUser = {
	id: 'deleteUser',
	method: 'POST',
	path: '/api/auth/delete-user',
	tag: 'Account',
	summary: 'Delete the account',
	description: `Ends every session and hides the account at once. For ${defaultPolicy.deletion.grace / 86_400} days signing in with \`restore\` brings it back; then it is removed for good.`,
	session: 'required',
	body: null,
	answer: gives(
		'Deleted.',
		z.object({ success: z.literal(true), message: z.literal('User deleted') }),
		{ success: true, message: 'User deleted' }
	),
	errors: []
} as const satisfies Operation;

export const grantConsent = {
	id: 'grantMarketingConsent',
	method: 'POST',
	path: '/api/marketing-consent',
	tag: 'Account',
	summary: 'Consent to marketing',
	description: 'The call itself is the consent. Giving it again changes nothing.',
	session: 'required',
	body: null,
	answer: gives('Noted.', successShape, { success: true }),
	errors: []
} as const satisfies Operation;
