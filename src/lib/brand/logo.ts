import source from './logo.svg?raw';
import { withoutProlog } from './svg.ts';

/** The logo as markup for the plain error page. Decorative, because the site's name is beside it. */
export const logo: string = withoutProlog(source).replace('<svg', '<svg aria-hidden="true"');
