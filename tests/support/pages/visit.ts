import { expect, type Page } from '@playwright/test';
import type { BuiltServer, BuiltServerOptions } from '../process/built-server.ts';
import { hydrated, signInByCalls } from '../e2e/arrival.ts';
import { openDatabase, type Database } from '../http/database.ts';
import { wrongCode } from '../http/client.ts';
import { mailReader } from '../e2e/mail-reader.ts';
import { HOOK_PASSWORD } from '../mail/report-bounce.ts';
import { screensOf } from '../e2e/screens.ts';
import { settingsOf } from '../e2e/settings.ts';

/** The servers that show all pages: each is named for its difference from the usual one. */
export const SERVERS = {
	usual: { env: { EMAIL_HOOK_POSTMARK: HOOK_PASSWORD } },
	/** A single sign-in page, a support address, and everything else that is off by default. */
	other: {
		env: {
			AUTH_ENTRY: 'single',
			SUPPORT_EMAIL: 'help@example.com',
			EMAIL_CHANGE_REPROOF: 'on',
			ADMIN: 'on',
			OIDC: 'on'
		}
	},
	/** It sends ten emails an hour, eight of them to unknown clients. */
	frugal: { env: { EMAIL_BUDGET: '10' } },
	/** Unknown clients prove some work before it sends a code. */
	proving: { env: { PROOF_OF_WORK: 'on' } },
	/** Its mail server never answers. */
	mailless: {
		env: {
			EMAIL_API_KEY: 'none',
			EMAIL_HOST: '127.0.0.1',
			EMAIL_PORT: '1',
			EMAIL_ALLOW_PLAIN: '1',
			EMAIL_FROM: 'no-reply@example.com'
		}
	}
} as const satisfies Readonly<Record<string, BuiltServerOptions>>;

/** The script that solves proofs of work. */
export const SOLVER = '**/solver.worker*';

/** One state of a page, and the shortest way to it. */
export interface PageState {
	/** The name of its screenshot: the page, then what is special about it. */
	readonly name: string;
	readonly on?: keyof typeof SERVERS;
	/** Looks like another state except for a sentence: only the screenshots show it. */
	readonly alike?: true;
	/** Whether the state exists only with JavaScript, or only without it. Default: it exists in both. */
	readonly scripts?: 'needed' | 'off';
	/** Ends with a check that the page is in this state. */
	reach(visit: Visit): Promise<void>;
}

export const state = (
	name: string,
	how: Omit<PageState, 'name' | 'reach'>,
	reach: PageState['reach']
): PageState => ({ name, ...how, reach });

/** A page that is in this state as soon as it is opened, when it shows this text. */
export const opened = (
	name: string,
	path: string,
	text: string,
	how: Parameters<typeof state>[1] = {}
): PageState =>
	state(name, how, async ({ open, page }) => {
		await open(path);
		await expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible();
	});

let clients = 0;

/** A user with a new browser and a new email address, on the way to a state. */
const openVisit = async (
	page: Page,
	server: BuiltServer,
	freshAddress: () => string,
	scripted: boolean
) => {
	const context = page.context();
	const { request } = context;
	const mail = mailReader(server);
	const address = freshAddress();
	let passed = 0;
	await context.clearCookies();
	// Each state has its own client and network, so that no limit affects another state.
	clients += 1;
	const network = `198.19.${clients % 256}`;
	await context.setExtraHTTPHeaders({ 'x-forwarded-for': `${network}.200` });
	const headers = { origin: server.address, 'sec-fetch-site': 'same-origin' };
	const post = (path: string, data: Readonly<Record<string, string>>) =>
		request.post(`${server.address}/api/auth/${path}`, { headers, data });
	/** Sends a call as a script of our own page. */
	const call = async (path: string, data: Readonly<Record<string, string>>): Promise<void> => {
		const answer = await post(path, data);
		expect(answer.status(), await answer.text()).toBe(200);
	};
	return {
		page,
		server,
		mail,
		on: screensOf(page, scripted),
		inSettings: settingsOf(page),
		address,
		/** Another unused email address. */
		freshAddress,
		/** Opens a path and waits until its scripts, if any, are active. */
		open: async (path: string) => {
			const { href } = new URL(path, server.address);
			if (scripted) {
				await page.goto(href);
				await hydrated(page);
			} else {
				// The requests for scripts never get an answer.
				await page.route('**/*.js', () => undefined);
				await page.goto(href, { waitUntil: 'commit' });
			}
		},
		/** The first three numbers of the IP address. */
		network,
		call,
		/** Requests a code by a call from this browser, whose pages then show it as pending. */
		requestCode: async (as = address) => {
			await call('email-otp/send-verification-otp', { email: as, type: 'sign-in' });
			return mail.codeFor(as);
		},
		/** Enters wrong codes by calls. */
		guess: async (code: string, times: number) => {
			for (let wrong = 1; wrong <= times; wrong += 1) {
				await post('sign-in/email-otp', { email: address, otp: wrongCode(code, wrong) });
			}
		},
		/** Signs in by calls. */
		arrive: (as = address) => signInByCalls(request, server, mail, as),
		/** Moves the server's clock, until this visit ends. */
		passTime: async (seconds: number) => {
			passed += seconds;
			await server.shiftClock(passed);
		},
		see: (text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible(),
		inDatabase: async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
			const database = openDatabase(server.databaseUrl);
			return work(database).finally(() => database.close());
		},
		end: async () => {
			if (passed !== 0) await server.shiftClock(0);
		}
	};
};

export type Visit = Awaited<ReturnType<typeof openVisit>>;

/**
 * Brings a browser to a state, runs the given check, and removes all traces. Needs its own browser
 * context on that server. In a context with JavaScript, the scripts of a page without them never
 * load.
 */
export const visit = async (
	page: Page,
	server: BuiltServer,
	freshAddress: () => string,
	state: PageState,
	look: () => Promise<void>,
	scripted = state.scripts !== 'off'
): Promise<void> => {
	const going = await openVisit(page, server, freshAddress, scripted);
	try {
		await state.reach(going);
		await look();
	} finally {
		await going.end();
	}
};
