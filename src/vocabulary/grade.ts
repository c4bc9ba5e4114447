import { createScale } from './scale';

/** From best to worst, like school grades. */
export const gradeScale = createScale(['a', 'b', 'c', 'd', 'e', 'f'], { worstFirst: false });
