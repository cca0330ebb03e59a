import { auth, forgetToken, mode, server } from './auth.ts';

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const emailField = find<HTMLInputElement>('email');
const codeField = find<HTMLInputElement>('code');

const SCREENS = ['loading', 'email-form', 'code-form', 'account'] as const;
const show = (screen: (typeof SCREENS)[number]): void => {
	for (const id of SCREENS) find(id).hidden = id !== screen;
};
const say = (text: string): void => {
	find('message').textContent = text;
};

interface Failure {
	readonly error: { readonly status: number; readonly message?: string; readonly code?: string };
	readonly response: Response;
}

const WORDS: Record<string, string> = {
	INVALID_EMAIL: 'That is not an email address.',
	INVALID_OTP: 'That code is not right. Check the newest email, or request a new code.',
	UNAUTHORIZED: 'Your session has ended. Sign in again.',
	OTP_EXPIRED: 'That code has expired. Request a new one.',
	TOO_MANY_ATTEMPTS: 'Too many wrong codes. Request a new one.',
	CHALLENGE_REQUIRED: 'This server asks for a proof of work, which this example does not make.',
	ACCOUNT_DELETED: `This account is being deleted. You can restore it at ${server}.`,
	ACCOUNT_BLOCKED: 'This account is blocked.'
};

const explain = ({ error, response }: Failure): string => {
	if (error.status === 429) {
		return `Too many requests. Try again in ${response.headers.get('Retry-After')} seconds.`;
	}
	return WORDS[error.code ?? ''] ?? error.message ?? `The server responded with ${error.status}.`;
};

/** Makes a call and shows its error, if there is one. Returns its data, or null. */
const attempt = async <T>(
	call: (options: { onError: (failure: Failure) => void }) => Promise<{ data: T | null }>
): Promise<T | null> => {
	say('');
	const onError = (failure: Failure): void => {
		say(explain(failure));
		// The session was ended elsewhere, so the store must bypass the browser's session cache.
		if (failure.error.status === 401) {
			void auth.useSession.get().refetch({ query: { disableCookieCache: true } });
		}
	};
	try {
		return (await call({ onError })).data;
	} catch {
		// The browser does not reveal whether the server was unreachable or CORS blocked the response.
		say(`No response from ${server}. Check that it runs and trusts ${location.origin}.`);
		return null;
	}
};

/** Runs `work` on submit. The button is disabled until it has finished. */
const onSubmit = (id: string, work: () => Promise<void>): void => {
	find<HTMLFormElement>(id).addEventListener('submit', async (event) => {
		event.preventDefault();
		const button = (event as SubmitEvent).submitter as HTMLButtonElement;
		button.disabled = true;
		await work();
		button.disabled = false;
	});
};

onSubmit('email-form', async () => {
	const email = emailField.value;
	const sent = await attempt((options) =>
		auth.emailOtp.sendVerificationOtp({ email, type: 'sign-in' }, options)
	);
	if (sent === null) return;
	find('sent-to').textContent = email;
	codeField.value = '';
	show('code-form');
	codeField.focus();
});

onSubmit('code-form', async () => {
	const signedIn = await attempt((options) =>
		auth.signIn.emailOtp({ email: emailField.value, otp: codeField.value }, options)
	);
	if (signedIn === null) return;
	// The store below updates itself. It cannot detect that the browser refused the cookie.
	const session = await attempt((options) => auth.getSession({ fetchOptions: options }));
	if (session === null && mode === 'cookie') {
		say('The browser stored no cookie, because this app is on another site. Use the bearer mode.');
	}
});

find('other-address').addEventListener('click', () => {
	say('');
	show('email-form');
});

find('sign-out').addEventListener('click', () => attempt((options) => auth.signOut({}, options)));

const listSessions = async (current: string): Promise<void> => {
	const sessions = await attempt((options) => auth.listSessions({ fetchOptions: options }));
	if (sessions === null) return;
	const items = sessions.map(({ id, token, userAgent, createdAt }) => {
		const item = document.createElement('li');
		const text = document.createElement('span');
		text.textContent = `${userAgent || 'unknown device'}, since ${createdAt.toLocaleString()}`;
		item.append(text);
		if (id === current) {
			item.append(' (this one)');
			return item;
		}
		const button = document.createElement('button');
		button.textContent = 'Revoke';
		button.className = 'quiet';
		// This token only identifies the session. It is not a credential.
		button.addEventListener('click', async () => {
			if (await attempt((options) => auth.revokeSession({ token }, options))) item.remove();
		});
		item.append(button);
		return item;
	});
	find('sessions').replaceChildren(...items);
};

let shown = '';
auth.useSession.subscribe(({ data, error, isPending }) => {
	if (isPending) return;
	if (data !== null) {
		find('who').textContent = data.user.name || data.user.email;
		if (find('account').hidden || shown !== data.session.id) void listSessions(data.session.id);
		shown = data.session.id;
		show('account');
		return;
	}
	if (error !== null && error.status !== 401) say(`No response from ${server}: ${error.message}`);
	forgetToken();
	// A user who is entering a code stays on that form.
	if (find('code-form').hidden) show('email-form');
});

for (const link of document.querySelectorAll('nav a')) {
	if (link.getAttribute('href') === `?mode=${mode}`) link.setAttribute('aria-current', 'page');
}
