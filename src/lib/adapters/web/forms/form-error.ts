import type { ActionFailure, RequestEvent } from '@sveltejs/kit';
import { setError, type ErrorStatus, type SuperValidated } from 'sveltekit-superforms';
import type { DomainError } from '#lib/domain/errors.ts';
import { outcomeOf, retryAfterOf } from '../errors/outcome.ts';

/**
 * The response of a form to a domain error. It keeps the typed values. The text appears at its
 * field, or above the form if the form lacks that field.
 */
export const formOutcome = <T extends Record<string, unknown>>(
	event: Pick<RequestEvent, 'setHeaders'>,
	form: SuperValidated<T>,
	error: DomainError
): ActionFailure<{ form: SuperValidated<T> }> => {
	const { status, text, field } = outcomeOf(error);
	const retryAfter = retryAfterOf(error);
	if (retryAfter !== null) event.setHeaders({ 'retry-after': String(retryAfter) });
	const path = field !== null && field in form.data ? field : '';
	return setError(form as SuperValidated<Record<string, unknown>>, path, text, {
		status: status as ErrorStatus
	}) as ActionFailure<{ form: SuperValidated<T> }>;
};
