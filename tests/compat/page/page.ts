import { createAuthClient } from 'better-auth/client';
import { emailOTPClient } from 'better-auth/client/plugins';

/** A site that signs people in with a service on another origin, as the client's documentation shows. */
const parameters = new URL(location.href).searchParams;

const byBearer = {
	auth: { type: 'Bearer', token: () => localStorage.getItem('token') ?? '' },
	onSuccess: ({ response }: { response: Response }) => {
		const token = response.headers.get('set-auth-token');
		if (token !== null) localStorage.setItem('token', token);
	}
} as const;

const client = createAuthClient({
	baseURL: parameters.get('service') ?? '',
	plugins: [emailOTPClient()],
	fetchOptions: parameters.has('bearer') ? byBearer : {}
});

declare global {
	interface Window {
		readonly auth: typeof client;
	}
}

Object.assign(window, { auth: client });

const shown = document.querySelector('output');
client.useSession.subscribe(({ data, error, isPending }) => {
	if (shown === null) return;
	if (isPending) shown.value = 'pending';
	else if (error !== null) shown.value = `error ${error.status}`;
	else shown.value = data === null ? 'nobody' : `${data.user.name} ${data.user.email}`.trim();
});
