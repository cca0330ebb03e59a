export const signIn = (origin: string): string => `const postern = '${origin}/api/auth';

const post = async (path: string, body: object, token?: string) =>
	fetch(postern + path, {
		method: 'POST',
		credentials: 'omit',
		headers: {
			'Content-Type': 'application/json',
			'X-Postern-Client': await clientKey(),
			...(token ? { Authorization: \`Bearer \${token}\` } : {})
		},
		body: JSON.stringify(body)
	});

export const sendCode = (email: string) =>
	post('/email-otp/send-verification-otp', { email, type: 'sign-in' });

export const signIn = async (email: string, otp: string) => {
	const response = await post('/sign-in/email-otp', { email, otp });
	const answer = await response.json();
	if (!response.ok) throw new Error(answer.code);
	await storage.set(answer.token);
	return answer.user;
};
`;

export const expoStorage = `import * as SecureStore from 'expo-secure-store';

export const storage = {
	get: () => SecureStore.getItemAsync('postern-token'),
	set: (token: string) => SecureStore.setItemAsync('postern-token', token),
	clear: () => SecureStore.deleteItemAsync('postern-token')
};
`;

export const start = (origin: string): string => `const token = await storage.get();
const response = await fetch('${origin}/api/auth/get-session', {
	credentials: 'omit',
	headers: token ? { Authorization: \`Bearer \${token}\` } : {}
});
if (response.ok) {
	const signedIn = await response.json();
	if (signedIn === null) await storage.clear();
	show(signedIn?.user ?? null);
} else {
	// 429 or 5xx: the user is still signed in. Show the last known state and retry later.
}
`;

export const trusted = 'AUTH_TRUSTED_ORIGINS=https://localhost';
