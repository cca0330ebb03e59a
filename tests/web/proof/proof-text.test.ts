import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { proofText, type Phase } from '#lib/ui/proof/proof-text.ts';
import type { ProofDemand } from '#lib/view/proof.ts';

const { proof: texts } = messages;
const BUTTON = 'Send it';

/** A text depends on the level only. */
const puzzleOf = (level: number): ProofDemand['puzzle'] => ({
	parameters: {
		algorithm: 'PBKDF2/SHA-256',
		cost: 1,
		data: { level },
		keyLength: 32,
		keyPrefix: '',
		keySignature: '',
		nonce: '',
		salt: ''
	},
	signature: ''
});

const demandOf = (changed: Partial<ProofDemand> = {}): ProofDemand => ({
	purpose: 'send',
	puzzle: puzzleOf(0),
	ticket: { text: '', seconds: 20, early: false },
	ticketAfter: 0,
	wait: null,
	...changed
});

const early = { text: '', seconds: 1, early: true };
const wait = { seconds: 180, reason: '', endsOnEdit: true };
const { send, check } = texts.why;

describe('what a form says about a proof', () => {
	test.each<[string, Phase, boolean, ProofDemand, string]>([
		['a puzzle', 'solving', false, demandOf(), `${send} ${texts.solving}`],
		[
			'a puzzle of seconds',
			'solving',
			false,
			demandOf({ puzzle: puzzleOf(3) }),
			`${send} ${texts.solving}`
		],
		[
			'a puzzle of minutes',
			'solving',
			false,
			demandOf({ purpose: 'check', puzzle: puzzleOf(4) }),
			`${check} ${texts.solvingLong}`
		],
		['a refused solution', 'refused', false, demandOf(), texts.again],
		[
			'no JavaScript',
			'plain',
			false,
			demandOf(),
			`${send} Wait 20 seconds, then press “${BUTTON}”.`
		],
		['no worker', 'failed', false, demandOf(), `${send} Wait 20 seconds, then press “${BUTTON}”.`],
		['a ticket whose time is over', 'failed', true, demandOf(), `You can press “${BUTTON}” now.`],
		[
			'a ticket that was posted too early',
			'plain',
			false,
			demandOf({ ticket: early }),
			`That was a little too soon. Wait one more second, then press “${BUTTON}”.`
		],
		[
			'no JavaScript and no ticket',
			'plain',
			false,
			demandOf({ ticket: null, ticketAfter: 121 }),
			`${send} Turn on JavaScript and try again, or come back in 3 minutes.`
		],
		[
			'no worker and no ticket',
			'failed',
			false,
			demandOf({ ticket: null, ticketAfter: 1 }),
			`${send} ${texts.unable(1)}`
		],
		['a wait that the form states', 'plain', false, demandOf({ wait, ticket: null }), ''],
		['a wait with a puzzle', 'solving', false, demandOf({ wait, ticket: null }), texts.waiting],
		['a wait that is over', 'plain', true, demandOf({ wait, ticket: null }), texts.free]
	])('%s', (_, phase, isReady, demand, text) => {
		expect(proofText(demand, phase, isReady, BUTTON)).toBe(text);
	});
});
