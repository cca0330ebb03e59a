import { tick, untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { ProofDemand } from '#lib/view/proof.ts';
import { messages } from '#lib/messages/messages.ts';
import { countdown } from '../forms/countdown.svelte.ts';
import { proofText, type Phase } from './proof-text.ts';

/** The proof that a form has to contain, and what the form says about it. */
export interface ProofStep {
	/** Empty if there is nothing to say. */
	readonly text: string;
	/**
	 * Seconds until the form can be sent, or zero. Without JavaScript, the number that the server
	 * rendered.
	 */
	readonly wait: number;
	/** The errors above the form, without those that a wait makes out of date. */
	above(errors: readonly string[] | undefined): readonly string[];
	/** The label of the button instead of its usual one, or null. */
	readonly label: string | null;
	/** Whether the button is disabled. */
	readonly busy: boolean;
	/** The hidden fields. */
	readonly fields: { readonly proof?: string; readonly ticket?: string };
	/** For an element in the form. */
	readonly inForm: Attachment;
}

const texts = messages.proof;

/**
 * Gets a form the proof that its last response asked for. With JavaScript, it solves the puzzle and
 * submits the form again, once. `message` is the form's message, and `proceed` the label of the
 * button that continues with a ticket.
 */
export const proofStep = (message: () => unknown, proceed: string = texts.proceed): ProofStep => {
	const demand = $derived(demandIn(message()));
	let phase = $state<Phase>('plain');
	let answer = $state('');
	let form: HTMLFormElement | null = null;
	let isOwnSubmit = false;
	const left = countdown(() => demand?.wait?.seconds ?? demand?.ticket?.seconds ?? 0);

	const prove = async ({ puzzle, wait }: ProofDemand, signal: AbortSignal): Promise<void> => {
		const freeAt = Date.now() + (wait?.seconds ?? 0) * 1000;
		const wasRefused = isOwnSubmit && wait === null;
		isOwnSubmit = false;
		answer = '';
		phase = wasRefused ? 'refused' : 'plain';
		if (wasRefused || puzzle === null) return;
		phase = 'solving';
		try {
			const { pause, solve } = await import('./solve.ts');
			answer = await solve(puzzle, signal);
			await pause(freeAt - Date.now(), signal);
			isOwnSubmit = true;
			await tick();
			form?.requestSubmit();
		} catch {
			if (!signal.aborted) phase = 'failed';
		}
	};

	let edit = (): void => undefined;
	$effect(() => {
		const wanted = demand;
		const control = new AbortController();
		edit = () => {
			control.abort();
			phase = 'edited';
		};
		if (wanted !== null) untrack(() => void prove(wanted, control.signal));
		return () => control.abort();
	});

	const lasts = $derived(demand?.wait?.endsOnEdit === false);
	const active = $derived(phase === 'edited' && !lasts ? null : demand);
	const canWait = $derived(active?.ticket && phase !== 'refused' ? active.ticket : null);
	/** Whether the button is disabled until a time. Without JavaScript it never is. */
	const isWaiting = $derived(
		left.counting && (active?.wait ? true : canWait !== null && phase !== 'solving')
	);
	return {
		get text() {
			return active === null ? '' : proofText(active, phase, left.seconds === 0, proceed);
		},
		get label() {
			if (active === null || phase !== 'solving') return canWait && proceed;
			return isWaiting ? null : texts.working;
		},
		get wait() {
			return active?.wait || isWaiting ? left.seconds : 0;
		},
		above: (errors = []) => {
			if (!active?.wait) return errors;
			if (left.counting) return [active.wait.reason];
			// Without JavaScript, nothing counts.
			return left.seconds === 0 ? [] : errors;
		},
		get busy() {
			return active !== null && (phase === 'solving' || isWaiting);
		},
		get fields() {
			return {
				...(answer !== '' && { proof: answer }),
				...(canWait && { ticket: canWait.text })
			};
		},
		inForm: (element) => {
			form = element.closest('form');
			const onInput = (): void => edit();
			form?.addEventListener('input', onInput);
			return () => form?.removeEventListener('input', onInput);
		}
	};
};

const demandIn = (message: unknown): ProofDemand | null =>
	typeof message === 'object' && message !== null && 'puzzle' in message
		? (message as ProofDemand)
		: null;
