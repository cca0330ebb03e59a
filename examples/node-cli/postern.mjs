#!/usr/bin/env node
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Ended, Problem, client } from './client.mjs';
import { clientKey, tokenFile } from './secret-file.mjs';

const USAGE = `Usage: node postern.mjs COMMAND [--server URL]

  sign-in     asks for your email and the code it gets
  whoami      says who you are
  sessions    lists the devices you are signed in on
  sign-out    ends your session

The server is http://localhost:3000, or POSTERN_URL, unless you name one.`;

/** Reads lines from a terminal or a pipe. Prompts go to stderr, so that stdout can be piped. */
const asker = () => {
	const reader = createInterface({ input: process.stdin });
	const lines = reader[Symbol.asyncIterator]();
	const ask = async (prompt) => {
		process.stderr.write(prompt);
		const { value, done } = await lines.next();
		if (done) throw new Problem('No input, so the sign-in is cancelled.');
		return value.trim();
	};
	return { ask, close: () => reader.close() };
};

/** Removes control characters: a client chooses its user agent, which could control the terminal. */
const printable = (text) => text.replace(/\p{C}/gu, '');

const signIn = async (server, file) => {
	if ((await file.read()) !== null) throw new Problem('You are signed in. Sign out first.');
	const { ask, close } = asker();
	try {
		const email = await ask('Email: ');
		await server.sendCode(email);
		console.log('We sent you a code.');
		for (;;) {
			try {
				await file.write(await server.signIn(email, await ask('Code: ')));
				break;
			} catch (error) {
				if (error.code !== 'INVALID_OTP') throw error;
				console.log('That code is not right. Try again.');
			}
		}
	} finally {
		close();
	}
	console.log(`Signed in. Your token is in ${file.path}, which only you can read.`);
	console.log('If your system has a keychain, that is a better place.');
};

const commands = {
	whoami: async (server) => {
		const { user, session } = await server.session();
		console.log(`${printable(user.email)}, until ${new Date(session.expiresAt).toLocaleString()}`);
	},
	sessions: async (server) => {
		const { session } = await server.session();
		for (const { id, createdAt, userAgent } of await server.sessions()) {
			const here = id === session.id ? ' (this one)' : '';
			console.log(`${new Date(createdAt).toLocaleString()}  ${printable(userAgent)}${here}`);
		}
	},
	'sign-out': async (server, file) => {
		await server.signOut();
		await file.remove();
		console.log('Signed out.');
	}
};

const run = async () => {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { server: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
	});
	const [name] = positionals;
	const command = name === 'sign-in' ? signIn : Object.hasOwn(commands, name) && commands[name];
	if (values.help || positionals.length !== 1 || !command) {
		console.error(USAGE);
		process.exitCode = values.help ? 0 : 2;
		return;
	}
	const origin = originOf(values.server ?? process.env.POSTERN_URL ?? 'http://localhost:3000');
	// One file per server, so that no server gets the token of another one.
	const file = tokenFile(origin);
	if (command === signIn) {
		return signIn(client(origin, { clientKey: await clientKey(origin) }), file);
	}
	const token = await file.read();
	if (token === null) throw new Problem('You are not signed in.');
	try {
		await command(client(origin, { token }), file);
	} catch (error) {
		if (error instanceof Ended) await file.remove();
		throw error;
	}
};

const originOf = (text) => {
	const url = URL.parse(text);
	if (url === null || !/^https?:$/.test(url.protocol))
		throw new Problem(`This is not an http URL: ${text}`);
	if (url.protocol === 'http:' && !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) {
		throw new Problem('To keep others from reading your token, use https.');
	}
	return url.origin;
};

try {
	await run();
} catch (error) {
	// For invalid arguments, Node throws a TypeError with a readable message.
	if (!(error instanceof Problem) && !error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
