export const pageServer = `import { fail } from '@sveltejs/kit';
import { pageActions } from '#lib/adapters/web/rules/page-actions.ts';
import { requireUser } from '#lib/adapters/web/sessions/require-user.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = (event) => {
	const user = requireUser(event);
	return { owner: user.name || user.email };
};

export const actions: Actions = pageActions('/notes', {
	default: async (event) => {
		const user = requireUser(event);
		const text = (await event.request.formData()).get('text');
		if (typeof text !== 'string' || text === '') return fail(400, { missing: true });
		// Store the note for user.id here.
		return { saved: true };
	}
});
`;

// Closing script tags are split, because some tools find them in any text.
export const page = `<script lang="ts">
	import { enhance } from '$app/forms';
	import FormToken from '#lib/ui/forms/FormToken.svelte';
	import type { PageProps } from './$types';

	const { data, form }: PageProps = $props();
</${'script'}>

<h1>Notes of {data.owner}</h1>
{#if form?.missing}<p>Enter a note.</p>{/if}
<form method="POST" use:enhance>
	<FormToken />
	<label>Note <input name="text" required /></label>
	<button class="button">Save</button>
</form>
`;

export const component = `<script lang="ts">
	import { resolve } from '$app/paths';
	import { account } from '#lib/ui/account/account.ts';
	import ButtonForm from '#lib/ui/forms/ButtonForm.svelte';
</${'script'}>

{#if account.isAuthenticated}
	<p>Signed in as {account.user?.email}</p>
	<ButtonForm action={resolve('/auth/sign-out')}>Sign out</ButtonForm>
{:else}
	<a href="{resolve('/auth/sign-in')}?redirectTo=/notes">Sign in</a>
{/if}
`;
