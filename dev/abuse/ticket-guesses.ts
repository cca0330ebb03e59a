import type { Answer } from '../../tests/support/http/client.ts';
import {
	openBrowser,
	textOf,
	unescapeHtml,
	type Browser
} from '../../tests/support/http/browser.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import { addressIn } from './api.ts';
import { FIRST, GUESSES, type Attacker, type Guessing } from './attackers.ts';

const PAGE = '/auth/sign-in';
const EXPIRED = [messages.code.expired, messages.errors.expiredCode];

/** The ticket that a page contains. */
const ticketIn = ({ text }: Answer): string | null => {
	const [input = ''] = /<input[^>]*\bname="ticket"[^>]*>/.exec(text) ?? [];
	const [, value] = /\bvalue="([^"]*)"/.exec(input) ?? [];
	return value === undefined ? null : unescapeHtml(value);
};

type Fields = Readonly<Record<string, string>>;

/** Posts a form until it is not refused for lack of a proof. The attacker waits for each ticket. */
const insistWithTickets = (
	{ time }: Attacker,
	browser: Browser,
	address: string,
	action: string,
	fields: Fields,
	done: (answer: Answer) => void
): void => {
	const attempt = async (ticket: string | null): Promise<void> => {
		const posted = ticket === null ? fields : { ...fields, ticket };
		const answer = await browser.post(`${PAGE}?/${action}`, posted, { 'x-forwarded-for': address });
		const next = answer.status === 403 ? ticketIn(answer) : null;
		if (next !== null) {
			time.at(time.now() + defaultPolicy.proof.ticketWait, () => attempt(next));
		} else if ([403, 429, 503].includes(answer.status)) {
			const wait = Number(answer.headers['retry-after'] ?? 60);
			time.at(time.now() + wait, () => attempt(null));
		} else done(answer);
	};
	time.at(time.now(), () => attempt(null));
};

/** The same as `guessMany`, by posting forms with tickets in place of solving puzzles. */
export const guessWithTickets = (
	attacker: Attacker,
	{ networks, perSecond, seconds }: Guessing
): void => {
	const { site, time, gains } = attacker;
	for (let index = 0; index < perSecond * seconds; index += 1) {
		time.at(index / perSecond, async () => {
			const email = `guessed-${index}@example.com`;
			const browser = openBrowser(site.server);
			const address = addressIn(FIRST, index % networks, index);
			const guess = (left: number): void => {
				const fields = { email, code: String(100_000 + left), __superform_id: 'code' };
				insistWithTickets(attacker, browser, address, 'verify', fields, ({ status, text }) => {
					if (status !== 400) return;
					// Nothing was compared. The attacker needs a new code.
					if (EXPIRED.some((said) => textOf(text).includes(said))) return request(left);
					gains.guesses += 1;
					gains.lastGuess = time.now();
					if (left > 1) guess(left - 1);
				});
			};
			const request = (left: number): void => {
				const fields = { email, __superform_id: 'email' };
				insistWithTickets(attacker, browser, address, 'request', fields, ({ status }) => {
					if (status >= 400) return;
					gains.emails += 1;
					guess(left);
				});
			};
			request(GUESSES);
		});
	}
};
