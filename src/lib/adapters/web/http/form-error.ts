import type { ActionFailure, RequestEvent } from '@sveltejs/kit';
import { setError, type ErrorStatus, type SuperValidated } from 'sveltekit-superforms';
import type { DomainError } from '#lib/domain/errors.ts';
import { outcomeOf, retryAfterOf } from './outcome.ts';

export type RefusedForm<T extends Record<string, unknown>> = ActionFailure<{
	form: SuperValidated<T>;
}>;

/** The response of a form with a text above it. It keeps the typed values. */
const formError = <T extends Record<string, unknown>>(
	form: SuperValidated<T>,
	text: string,
	status: number,
	field = ''
): RefusedForm<T> =>
	setError(form as SuperValidated<Record<string, unknown>>, field, text, {
		status: status as ErrorStatus
	}) as RefusedForm<T>;

/**
 * The response of a form to a domain error. It keeps the typed values. The text appears at its
 * field, or above the form if the form lacks that field. Where waiting helps, the page counts the
 * time.
 */
export const formOutcome = <T extends Record<string, unknown>>(
	event: Pick<RequestEvent, 'setHeaders'>,
	form: SuperValidated<T>,
	error: DomainError
): RefusedForm<T> => {
	const { status, text, field } = outcomeOf(error);
	const seconds = retryAfterOf(error);
	if (seconds !== null) {
		event.setHeaders({ 'retry-after': String(seconds) });
		const wait = { seconds, reason: text, endsOnEdit: true };
		form.message = { puzzle: null, wait } satisfies App.FormDemand;
	}
	return formError(form, text, status, field && field in form.data ? field : '');
};

/** The response of a form that can be sent later. The page counts the time. */
export const refuseForNow = <T extends Record<string, unknown>>(
	form: SuperValidated<T>,
	text: string,
	wait: App.FormWait
): RefusedForm<T> => {
	form.message = { puzzle: null, wait } satisfies App.FormDemand;
	return formError(form, text, 429);
};
