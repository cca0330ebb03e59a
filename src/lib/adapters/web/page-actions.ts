import type { RequestEvent } from '@sveltejs/kit';
import type { LimitName } from './edge/limits/client-limits.ts';
import type { CountedEvent } from './edge/limits/counted-event.ts';
import type { pageRules } from './page-rules.ts';

type AllRules = typeof pageRules;
type Page = keyof AllRules;

/** The limits of a page's actions by name, as its rules state them. */
type LimitsOf<Id extends Page> = AllRules[Id] extends {
	readonly actions: infer Limits extends Readonly<Record<string, LimitName>>;
}
	? Limits
	: Readonly<Record<never, LimitName>>;

type LimitOf<Id extends Page, Name> = Name extends keyof LimitsOf<Id>
	? Extract<LimitsOf<Id>[Name], LimitName>
	: 'default';

/** The actions as the framework calls them, on this page only. */
type FrameworkActions<Id extends Page, Answers> =
	Exclude<keyof Answers, keyof LimitsOf<Id>> extends never
		? {
				readonly [Name in keyof Answers]: (
					event: RequestEvent<Record<never, never>, Id>
				) => Answers[Name];
			}
		: { readonly missingInPageRules: Exclude<keyof Answers, keyof LimitsOf<Id>> };

/**
 * Returns the form actions of a page unchanged; only their types are checked. The page does not
 * compile if its rules lack an action, name one too many, or state another limit than an action
 * needs. The pipeline counts the request, before the action runs (`checkLimits`).
 */
export const pageActions = <
	Id extends Page,
	Answers extends { readonly [Name in keyof LimitsOf<Id>]: unknown }
>(
	_page: Id,
	actions: {
		readonly [Name in keyof Answers]: (event: CountedEvent<LimitOf<Id, Name>>) => Answers[Name];
	}
): FrameworkActions<Id, Answers> => actions as never;
