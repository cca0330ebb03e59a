import { loadVerifyEmail, verifyEmailActions } from '#lib/adapters/web/verify-email.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadVerifyEmail;

export const actions = verifyEmailActions satisfies Actions;
