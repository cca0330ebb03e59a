import { ensureBuild } from '../../../bin/fresh-build.ts';
import { ensureAlphanumericBuild } from './alphanumeric.ts';

/** Runs once before all workers, so that each finds a current build and makes none of its own. */
export default (): void => {
	ensureBuild((line) => console.log(line));
	ensureAlphanumericBuild((line) => console.log(line));
};
