import { z } from 'zod';
import { isName, MAX_NAME, nameProblem, type Name, type NameProblem } from '#lib/domain/user.ts';

/**
 * A name in a form or a JSON body, without the white space around it. The domain decides what is a
 * name, so both accept the same ones. `texts` describes what is wrong.
 */
export const nameSchema = (texts: Readonly<Record<NameProblem, string>>): z.ZodType<Name, string> =>
	z
		.string()
		.trim()
		.refine(isName, { error: ({ input }) => texts[nameProblem(String(input)) ?? 'unshowable'] })
		.meta({ maxLength: MAX_NAME });
