import type { RequestEvent } from '@sveltejs/kit';
import type { SuperValidated } from 'sveltekit-superforms';
import { messages } from '#lib/messages/messages.ts';
import { refuseForNow } from '../../http/form-error.ts';

/** A form post that a limit per client refused before its body was read. */
export interface LimitedForm {
	/** The form action that it was posted to. */
	readonly action: string;
	/** In whole seconds. */
	readonly retryAfter: number;
}

/** A limit per client refuses every form, whatever its fields contain. */
export const limitWait = (seconds: number): App.FormWait => ({
	seconds,
	reason: messages.refusals.tooOftenNow,
	endsOnEdit: false
});

/**
 * Puts the refusal of a limit per client into a form of the page, as if the form's own action had
 * refused it. Call it only for the form that was posted. Does nothing if no limit refused the
 * request.
 */
export const addLimit = <T extends Record<string, unknown>>(
	{ locals: { limitedForm } }: Pick<RequestEvent, 'locals'>,
	form: SuperValidated<T>
): void => {
	if (limitedForm === null) return;
	const { retryAfter } = limitedForm;
	refuseForNow(form, messages.refusals.tooOften(retryAfter), limitWait(retryAfter));
};
