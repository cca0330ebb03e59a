import { tick, untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { ProofDemand } from '#lib/view/proof.ts';
import { messages } from '#lib/messages/messages.ts';
import { countdown } from '../forms/countdown.svelte.ts';

type Phase =
	/** Nothing runs: the page has no JavaScript, or nothing to solve. */
	| 'plain'
	| 'solving'
	/** The puzzle is solved, and the next send is not free yet. */
	| 'waiting'
	| 'failed'
	/** The server refused the solution. The person decides whether to try again. */
	| 'refused'
	/** The form was edited since, so it is another request. */
	| 'edited';

/** The proof that a form has to contain, and what the form says about it. */
export interface ProofStep {
	/** Empty if there is nothing to say. */
	readonly text: string;
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
	const left = countdown(() => demand?.ticket?.seconds ?? 0);

	const prove = async ({ puzzle, wait }: ProofDemand, signal: AbortSignal): Promise<void> => {
		const freeAt = Date.now() + wait * 1000;
		const wasRefused = isOwnSubmit && wait === 0;
		isOwnSubmit = false;
		answer = '';
		phase = wasRefused ? 'refused' : 'plain';
		if (wasRefused || puzzle === null) return;
		phase = 'solving';
		try {
			const { pause, solve } = await import('./solve.ts');
			answer = await solve(puzzle, signal);
			if (wait > 0) phase = 'waiting';
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

	const active = $derived(phase === 'edited' ? null : demand);
	const canWait = $derived(active?.ticket && phase !== 'refused' ? active.ticket : null);
	return {
		get text() {
			return active === null ? '' : textOf(active, phase, left.seconds === 0);
		},
		get label() {
			if (active !== null && phase === 'solving') return texts.working;
			return canWait && proceed;
		},
		get busy() {
			if (active === null) return false;
			if (phase === 'failed') return canWait !== null && left.counting;
			return phase === 'solving' || phase === 'waiting';
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

const textOf = (
	{ purpose, ticket, ticketAfter, wait }: ProofDemand,
	phase: Phase,
	isReady: boolean
): string => {
	if (phase === 'waiting') return texts.waiting;
	// The form itself says that nothing can be sent yet.
	if (wait > 0) return '';
	if (phase === 'refused') return texts.again;
	const why = texts.why[purpose];
	if (phase === 'solving') return `${why} ${texts.solving}`;
	if (ticket === null) {
		const then = phase === 'failed' ? texts.unable : texts.needsScript;
		return `${why} ${then(ticketAfter)}`;
	}
	if (isReady) return texts.ready;
	return ticket.early ? texts.early(ticket.seconds) : `${why} ${texts.ticket(ticket.seconds)}`;
};
