import { ensureBuild } from '../../../bin/fresh-build.ts';
import { ensureCompat } from '../../../dev/fresh-compat.ts';

/**
 * Runs once before all workers, so that the tests find the client under test and a server for it.
 */
export default (): void => {
	ensureCompat((line) => console.log(line));
	ensureBuild((line) => console.log(line));
};
