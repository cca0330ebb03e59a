import { readConfig, type Config } from '#lib/config.server.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The settings without a default. */
export const MINIMAL = {
	AUTH_SECRET: 'uQ7vZ0mW3nY5cR8tB1kL6xJ9hG2fD4sA-pE_oI',
	AUTH_URL: 'http://localhost:3000'
};

/** Fails if the settings are refused. */
export const configOf = (env: Env = {}): Config => {
	const read = readConfig({ ...MINIMAL, ...env });
	if (!read.ok) throw new Error(read.error.join('\n'));
	return read.value;
};

/** One line for each setting that is refused. */
export const problemsOf = (env: Env): readonly string[] => {
	const read = readConfig({ ...MINIMAL, ...env });
	return read.ok ? [] : read.error;
};
