/** A complete program for Node 20 or later, without packages. A test runs it. */
export const program = (
	origin: string
): string => `import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';

const api = '${origin}/api/auth';
const file = join(homedir(), '.postern-token');
const keyFile = join(homedir(), '.postern-client');
const terminal = createInterface({ input: process.stdin, output: process.stdout });

const call = async (path, body, token, proof) => {
	const response = await fetch(api + path, {
		method: body ? 'POST' : 'GET',
		headers: {
			'X-Postern-Client': clientKey(),
			...(body ? { 'Content-Type': 'application/json' } : {}),
			...(proof ? { 'X-Postern-Proof': proof } : {}),
			...(token ? { Authorization: \`Bearer \${token}\` } : {})
		},
		body: body && JSON.stringify(body)
	});
	const answer = await response.json();
	if (response.ok) return answer;
	if (answer.challenge && !proof) return call(path, body, token, solve(answer.challenge));
	const wait = response.headers.get('Retry-After');
	throw new Error(wait ? \`\${answer.message} (\${wait} s)\` : answer.message);
};

const solve = (challenge) => {
	const { cost, keyLength, keyPrefix, nonce, salt } = challenge.parameters;
	const password = Buffer.from(nonce + '00000000', 'hex');
	for (let counter = 0; ; counter++) {
		password.writeUInt32BE(counter, password.length - 4);
		const key = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256');
		const derivedKey = key.toString('hex');
		if (!derivedKey.startsWith(keyPrefix)) continue;
		return Buffer.from(
			JSON.stringify({ challenge, solution: { counter, derivedKey } })
		).toString('base64');
	}
};

const read = (path) => {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
};

const write = (path, secret) => {
	writeFileSync(path, secret, { mode: 0o600 });
	chmodSync(path, 0o600);
	return secret;
};

const clientKey = () => read(keyFile) || write(keyFile, randomBytes(32).toString('base64url'));

const signIn = async () => {
	const email = await terminal.question('Email address: ');
	await call('/email-otp/send-verification-otp', { email, type: 'sign-in' });
	const otp = await terminal.question('Code from the email: ');
	const { token, user } = await call('/sign-in/email-otp', { email, otp });
	write(file, token);
	return user;
};

try {
	const token = read(file);
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
