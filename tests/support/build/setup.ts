import { ensureBuild } from '../../../bin/fresh-build.ts';
import { ensureAlphanumericBuild } from './alphanumeric.ts';

/** Once before all workers, so that they find a fresh build and do not make one each. */
export default (): void => {
	ensureBuild((line) => console.log(line));
	ensureAlphanumericBuild((line) => console.log(line));
};
