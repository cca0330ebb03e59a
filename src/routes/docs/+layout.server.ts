import type { LayoutServerLoad } from './$types';

/** Examples name this installation, so that they can be tried as they stand. */
export const load: LayoutServerLoad = ({ locals }) => ({ origin: locals.app.config.origin });
