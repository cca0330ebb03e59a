/** A complete program for Node 20 or later, without packages. A test runs it. */
export const program = (
	origin: string
): string => `import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';

const api = '${origin}/api/auth';
const file = join(homedir(), '.postern-token');
const terminal = createInterface({ input: process.stdin, output: process.stdout });

const call = async (path, body, token) => {
	const response = await fetch(api + path, {
		method: body ? 'POST' : 'GET',
		headers: {
			...(body ? { 'Content-Type': 'application/json' } : {}),
			...(token ? { Authorization: \`Bearer \${token}\` } : {})
		},
		body: body && JSON.stringify(body)
	});
	const answer = await response.json();
	if (response.ok) return answer;
	const wait = response.headers.get('Retry-After');
	throw new Error(wait ? \`\${answer.message} (\${wait} s)\` : answer.message);
};

const kept = () => {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
};

const signIn = async () => {
	const email = await terminal.question('Email address: ');
	await call('/email-otp/send-verification-otp', { email, type: 'sign-in' });
	const otp = await terminal.question('Code from the email: ');
	const { token, user } = await call('/sign-in/email-otp', { email, otp });
	writeFileSync(file, token, { mode: 0o600 });
	chmodSync(file, 0o600);
	return user;
};

try {
	const token = kept();
	if (process.argv[2] === 'sign-out') {
		await call('/sign-out', {}, token);
		rmSync(file, { force: true });
	} else {
		const session = token ? await call('/get-session', null, token) : null;
		const user = session?.user ?? (await signIn());
		process.stdout.write(\`Signed in as \${user.email}\\n\`);
	}
} catch (error) {
	process.stderr.write(\`\${error.message}\\n\`);
	process.exitCode = 1;
} finally {
	terminal.close();
}
`;
