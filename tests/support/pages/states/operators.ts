import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { makeOperator } from '../../http/account.ts';
import { state, type PageState, type Visit } from '../visit.ts';

const { applications, oidc, operators } = messages;

/** Signs in as an operator. */
const operate = async (visit: Visit): Promise<void> => {
	await visit.arrive();
	await visit.inDatabase((database) => makeOperator({ database }, visit.address));
};

const find = async (visit: Visit, email: string): Promise<void> => {
	await visit.open(`/operators?q=${encodeURIComponent(email)}`);
	await expect(visit.page.getByRole('link', { name: email, exact: true })).toBeVisible();
};

const CALLBACK = 'https://app.example.org/callback';

const addApplication = ({ inDatabase }: Visit): Promise<unknown> =>
	inDatabase(({ rows }) =>
		rows(
			`insert or ignore into oidc_client values
				('grafana', 'Grafana', null, 0, 'RS256', '${CALLBACK}', '', null, 0)`
		)
	);

/** The pages for operators, and those that name an application. */
export const operatorPages: readonly PageState[] = [
	state('operators-list', { on: 'other' }, async (visit) => {
		const someone = visit.freshAddress();
		await visit.arrive(someone);
		await visit.inDatabase(({ rows }) =>
			rows(`update "user" set blocked_at = 1 where email = '${someone}'`)
		);
		await operate(visit);
		await find(visit, visit.address);
		await visit.open('/operators');
		await visit.see(someone);
	}),
	state('operators-account', { on: 'other' }, async (visit) => {
		const someone = visit.freshAddress();
		await visit.arrive(someone);
		await visit.call('update-user', { name: 'Grace Hopper' });
		await visit.page.context().clearCookies();
		await operate(visit);
		await find(visit, someone);
		await visit.page.getByRole('link', { name: someone, exact: true }).click();
		await visit.page.locator('summary', { hasText: operators.actions.block }).click();
		await visit.see(operators.actions.blockText);
		await visit.page.locator('summary', { hasText: operators.end }).last().click();
	}),
	state('sign-in-application', { on: 'other' }, async (visit) => {
		await addApplication(visit);
		const query = new URLSearchParams({
			client_id: 'grafana',
			redirect_uri: CALLBACK,
			response_type: 'code',
			scope: 'openid',
			code_challenge: 'c'.repeat(43),
			code_challenge_method: 'S256'
		});
		await visit.open(`/oidc/auth?${query}`);
		await visit.see(oidc.continueTo('Grafana'));
	}),
	state('settings-applications', { on: 'other' }, async (visit) => {
		await addApplication(visit);
		await visit.arrive();
		await visit.inDatabase(({ rows }) =>
			rows(`insert into oidc_grant (id, user_id, client_id, session_id, signed_in_at, due_at)
				select id, user_id, 'grafana', id, created_at, created_at from session where user_id =
					(select id from "user" where email = '${visit.address}')`)
		);
		await visit.open('/settings');
		await visit.see(applications.title);
	})
];
