import { parseObject, type RowMembers } from './rowMembers';

/** The name of the member that rows get. */
export const productStatusMember = 'product_status.status';

/** What CSAF says of products (section 3.2.3.9), that which needs attention first. */
const groups = {
  known_affected: 'known_affected',
  first_affected: 'known_affected',
  last_affected: 'known_affected',
  under_investigation: 'under_investigation',
  fixed: 'fixed',
  first_fixed: 'fixed',
  known_not_affected: 'known_not_affected',
} as const;

/** What the status of products says of a vulnerability: an advisory tells what to install, even if all is fixed. */
export type ProductStatusOf = 'advisory' | 'vex';

/** Gives vulnerabilities of CSAF what they are for the product that they concern most. */
export class ProductStatusRows implements RowMembers {
  readonly asked = [productStatusMember];

  constructor(private readonly of: ProductStatusOf) {}

  membersOf(_run: number, _asked: string, json: Buffer): string {
    const { product_status: status } = parseObject(json) as Vulnerability;
    const [, word] =
      Object.entries(groups).find(([name]) => {
        const products = status?.[name];
        return Array.isArray(products) && products.length > 0;
      }) ?? [];
    const isOfAdvisory = word === 'fixed' && this.of === 'advisory';
    return word === undefined || isOfAdvisory ? '' : `"${productStatusMember}":"${word}",`;
  }
}

interface Vulnerability {
  readonly product_status?: Readonly<Record<string, unknown>> | null;
}
