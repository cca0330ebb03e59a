import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { mayAskForName, NO_NAME, type Name } from '#lib/domain/user.ts';
import { messages } from '#lib/messages/messages.ts';
import { takeText } from '../edge/kept-text.ts';
import { postedFields } from '../http/posted-form.ts';
import { nameForm } from '../sign-in/schemas.ts';
import { requireUser, signInPath } from '../edge/require-user.ts';
import { refreshUserCache } from '../sessions/session-response.ts';

const PAGE = '/app';

/** Null if the name was answered or skipped, on any device. */
export const loadNameQuestion = (event: RequestEvent) =>
	mayAskForName(requireUser(event)) ? { name: takeText(event, 'name') ?? '' } : null;

export const saveName: Action = async (event) => {
	// Answered on another page, which may show no form for an error any more.
	if (!mayAskForName(requireUser(event))) redirect(303, PAGE);
	const form = await superValidate(await postedFields(event), zod4(nameForm));
	const { name } = form.data;
	if (form.valid && name !== '') return answer(event, name as Name);
	const reason = form.errors.name?.[0] ?? messages.errors.emptyName;
	return fail(400, { nameRefused: { name, reason } });
};

/** Storing the empty name is the answer, so no page asks again. */
export const skipName: Action = (event) => answer(event, NO_NAME);

const answer = async (event: RequestEvent, name: Name): Promise<never> => {
	// A page that was open for long replaces no name that was given elsewhere.
	const user = await event.locals.app.answerName(requireUser(event).id, name);
	// The account was deleted by a concurrent request.
	if (user === null) redirect(303, signInPath(event));
	refreshUserCache(event, user);
	redirect(303, PAGE);
};
