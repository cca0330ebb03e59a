import { ok } from '#lib/domain/errors.ts';
import { signInLayouts, type SignInLayout } from '#lib/sign-in-layouts.ts';
import { refuse, type Checked } from './checked.ts';

/** When the current address is notified of an email change. */
export interface NoticeMoments {
	/** When a change by link is requested. */
	readonly before: boolean;
	/** When the change is complete. */
	readonly after: boolean;
}

/** Sign-in and sign-up as two pages. `single` is one page for both. */
export const parseSignInLayout = (value = 'split'): Checked<SignInLayout> =>
	isLayout(value) ? ok(value) : noChoice(value, Object.keys(signInLayouts).join(' or '));

const isLayout = (value: string): value is SignInLayout => Object.hasOwn(signInLayouts, value);

/** Whether new users can create accounts. */
export const parseSignUp = (value = 'open'): Checked<'open' | 'closed'> =>
	value === 'open' || value === 'closed' ? ok(value) : noChoice(value, 'open or closed');

export const parseSwitch = (value: string): Checked<boolean> =>
	value === 'on' || value === 'off' ? ok(value === 'on') : noChoice(value, 'on or off');

/** A list, or `off`. An empty list is refused, because a mistake must not disable the notices. */
export const parseChangeNotice = (value = 'after'): Checked<NoticeMoments> => {
	const moments = value === 'off' ? [] : value.split(',').map((moment) => moment.trim());
	return moments.every((moment) => moment === 'before' || moment === 'after')
		? ok({ before: moments.includes('before'), after: moments.includes('after') })
		: noChoice(value, 'before, after, both as before,after, or off');
};

const noChoice = (value: string, choices: string): Checked<never> =>
	refuse(`"${value}" is not a valid value`, `Set it to ${choices}`);
