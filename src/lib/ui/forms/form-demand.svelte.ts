import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { ProofPuzzle } from '#lib/domain/proof/ports.ts';
import { messages } from '#lib/messages/messages.ts';
import { countdown } from './countdown.svelte.ts';
import type { Tone } from './form.ts';

/** What a refused form needs before it can be sent again, and what it says about it. */
export interface DemandState {
	/** The state of the puzzle. `idle` if there is none. */
	readonly phase: Phase;
	/** Seconds until the form can be sent, or zero. Without JavaScript, as the server counted. */
	readonly wait: number;
	/** The messages above the form: why it cannot be sent, or else its errors. */
	messagesAbove(errors: readonly string[] | undefined): readonly string[];
	/** The tone of these messages. A form that solves a puzzle or has to wait has not failed. */
	readonly tone: Tone;
	/** Whether the button is disabled. */
	readonly busy: boolean;
	/** The answer to the puzzle, as the text to post. Empty until it is solved. */
	readonly answer: string;
	/** For any element in the form, whose input it watches. */
	readonly attachToForm: Attachment;
}

type Phase =
	/**
	 * The server rendered a puzzle, and scripts have not started. Also used inside `formDemand` while a
	 * form only waits.
	 */
	| 'no-script'
	| 'solving'
	/** Solving takes long enough to say so. */
	| 'slow'
	| 'failed'
	/** The server refused the answer. The person decides whether to try again. */
	| 'refused'
	/** Nothing is asked for. The form may have been edited since, so that it is another request. */
	| 'idle';

const SLOW_MS = 1000;

const PROBLEMS: Readonly<Partial<Record<Phase, string>>> = {
	'no-script': messages.proof.needsScript,
	failed: messages.proof.unable,
	refused: messages.proof.again
};

/**
 * Solves the puzzle or counts the wait that the response requires. With JavaScript, it submits the
 * form with the answer, once. `message` is the form's message.
 */
export const formDemand = (
	message: () => App.Superforms.Message | null | undefined
): DemandState => {
	const demand = $derived.by(() => {
		const asked = message();
		return typeof asked === 'object' ? asked : null;
	});
	let phase = $state<Phase>('no-script');
	let answer = $state('');
	let form: HTMLFormElement | null = null;
	let isOwnSubmit = false;
	const left = countdown(() => demand?.wait?.seconds ?? 0);

	const solvePuzzle = async (puzzle: ProofPuzzle, signal: AbortSignal): Promise<void> => {
		phase = 'solving';
		const slow = setTimeout(() => (phase = 'slow'), SLOW_MS);
		try {
			const { solve } = await import('../proof/solve.ts');
			answer = await solve(puzzle, signal);
			isOwnSubmit = true;
			await tick();
			form?.requestSubmit();
		} catch {
			if (!signal.aborted) phase = 'failed';
		} finally {
			clearTimeout(slow);
		}
	};

	const restart = (next: Phase): void => {
		phase = next;
		answer = '';
		isOwnSubmit = false;
	};

	let onEdit = (): void => undefined;
	$effect(() => {
		const puzzle = demand?.puzzle;
		const control = new AbortController();
		onEdit = () => {
			control.abort();
			restart('idle');
		};
		const wasRefused = isOwnSubmit;
		restart(demand === null ? 'idle' : 'no-script');
		if (puzzle && wasRefused) phase = 'refused';
		else if (puzzle) void solvePuzzle(puzzle, control.signal);
		return () => control.abort();
	});

	const survivesEdit = $derived(demand?.wait?.endsOnEdit === false);
	const active = $derived(phase === 'idle' && !survivesEdit ? null : demand);
	const isSolving = $derived(phase === 'solving' || phase === 'slow');
	return {
		get phase() {
			return active?.puzzle ? phase : 'idle';
		},
		get wait() {
			return active?.wait ? left.seconds : 0;
		},
		messagesAbove: (errors = []) => {
			const problem = active?.puzzle && PROBLEMS[phase];
			if (problem) return [problem];
			if (active?.wait) return left.seconds === 0 ? [] : [active.wait.reason];
			// An edited form is another request.
			return demand !== active ? [] : errors;
		},
		get tone() {
			return active && phase !== 'failed' && phase !== 'refused' ? 'warning' : 'error';
		},
		get busy() {
			return active !== null && (isSolving || (active.wait !== null && left.seconds > 0));
		},
		get answer() {
			return answer;
		},
		attachToForm: (element) => {
			form = element.closest('form');
			const onInput = (): void => onEdit();
			form?.addEventListener('input', onInput);
			return () => form?.removeEventListener('input', onInput);
		}
	};
};
