import { z } from 'zod';
import { err, ok, type Result } from '#lib/domain/errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reports a setting that does not fit the others: its name, why, and how to fix it. */
export type Refuse = (name: string, problem: string) => void;

/**
 * Checks each setting of a schema, then makes a value from all of them. The error has one line for
 * each wrong setting: its name, why it is wrong, and how to fix it.
 */
export const readSettings = <Schema extends z.ZodObject, T>(
	schema: Schema,
	env: Environment,
	make: (settings: z.output<Schema>, refuse: Refuse) => T
): Result<T, readonly string[]> => {
	const problems = new Map<string, string>();
	const refuse: Refuse = (name, problem) => {
		if (!problems.has(name)) problems.set(name, `${name}: ${problem}`);
	};
	const settings = schema.safeParse(textsOf(schema, env));
	for (const { path, message } of settings.error?.issues ?? []) refuse(path.join(''), message);
	const value = settings.success ? make(settings.data, refuse) : null;
	return value === null || problems.size > 0 ? err([...problems.values()]) : ok(value);
};

/** An empty setting counts as unset. The name of a nested schema is the prefix of its settings. */
const textsOf = (schema: z.ZodObject, env: Environment, prefix = ''): object =>
	Object.fromEntries(
		Object.entries(schema.shape).map(([name, inner]) => [
			name,
			inner instanceof z.ZodObject
				? textsOf(inner, env, prefix + name)
				: env[prefix + name]?.trim() || undefined
		])
	);

/** A message that begins with the wrong value, so not for secrets. */
export const quoted = (rest: string) => ({
	error: ({ input }: { readonly input?: unknown }) => `${JSON.stringify(input)} ${rest}`
});

export const invalid = (choices: string) => quoted(`is not a valid value. Set it to ${choices}`);

export const oneOf = <const Word extends string>(...words: readonly Word[]) =>
	z.enum(words, invalid(words.join(' or ')));

export const onOff = z.stringbool({
	truthy: ['on'],
	falsy: ['off'],
	case: 'sensitive',
	...invalid('on or off')
});

export const permission = z.literal('1', invalid('1, or remove it')).optional();

export const wholeNumber = (most: number, problem = '') =>
	z
		.string()
		.refine((text) => /^0*[1-9]\d*$/.test(text) && Number(text) <= most, quoted(problem))
		.transform(Number);

export const port = wholeNumber(65535, 'is not a port. Set it to a number from 1 to 65535');

/** A setting with a format of its own. The error of `parse` says why it is wrong and how to fix it. */
export const parsed = <T>(parse: (text: string) => Result<T, string>, missing?: string) =>
	z.string(missing).transform((text, { issues }) => {
		const outcome = parse(text);
		if (outcome.ok) return outcome.value;
		issues.push({ code: 'custom', input: '', message: outcome.error });
		return z.NEVER;
	});

export const splitList = (text: string): readonly string[] =>
	text.split(',').flatMap((entry) => entry.trim() || []);
