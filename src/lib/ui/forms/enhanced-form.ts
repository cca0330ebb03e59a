import { untrack } from 'svelte';
import { fromStore } from 'svelte/store';
import type { SuperValidated } from 'sveltekit-superforms';
import { superForm, type FormOptions, type SuperForm } from 'sveltekit-superforms/client';
import { formDemand, type DemandState } from './form-demand.svelte.ts';
import { faultText, followRedirect, PENDING_AFTER_MS, waitOf } from './form.ts';

// Apart from form.ts, so that only pages that need the form library load it.

/** What a component does with the responses to its form, besides showing errors. */
interface FormCallbacks<T extends Record<string, unknown>> extends Pick<
	FormOptions<T, App.Superforms.Message>,
	'onSubmit' | 'onUpdate' | 'selectErrorText'
> {
	onredirect?: (location: string) => void | Promise<void>;
	/** Called after any other response, except for a fault. */
	onrefused?: () => void | Promise<void>;
}

const nothing = (): void => undefined;
/** Removes the fault that a form of this page shows, but no later response to that form. */
let clearFault = nothing;

/**
 * A form with JavaScript. Neither a response nor new page data overwrites what a person typed. The
 * field with an error gets the focus. The form library shows the errors of the fields. `demand` is
 * what the last response asked for.
 */
export const enhancedForm = <T extends Record<string, unknown>>(
	initial: () => SuperValidated<T>,
	{ onredirect = followRedirect, onrefused, onSubmit, ...options }: FormCallbacks<T> = {}
): SuperForm<T, App.Superforms.Message> & { readonly demand: DemandState } => {
	const form = superForm<T, App.Superforms.Message>(untrack(initial), {
		applyAction: 'never',
		resetForm: false,
		// Remove the old error while the new request runs.
		clearOnSubmit: 'errors',
		autoFocusOnError: true,
		scrollToError: 'auto',
		delayMs: PENDING_AFTER_MS,
		// After this time the library allows a second submit. No request takes that long.
		timeoutMs: 120_000,
		// When one form replaces another, both exist for a moment.
		warnings: { duplicateId: false },
		...options,
		onSubmit: (submitted) => {
			// A fault of another form may be over.
			clearFault();
			clearFault = nothing;
			return onSubmit?.(submitted);
		},
		onResult: async ({ result, cancel }) => {
			if (result.type === 'error') {
				cancel();
				form.errors.set({ _errors: [faultText(result)] } as never);
				form.message.set(waitOf(result));
				clearFault = () => {
					form.errors.clear();
					form.message.set(undefined);
				};
			} else if (result.type === 'redirect') {
				cancel();
				await onredirect(result.location);
			} else await onrefused?.();
		}
	});
	const message = fromStore(form.message);
	return { ...form, demand: formDemand(() => message.current) };
};
