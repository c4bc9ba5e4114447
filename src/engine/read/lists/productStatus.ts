import type { RowMembers } from './rowMembers';

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

/** Gives vulnerabilities of CSAF what they are for the product that they concern most. */
export class ProductStatusRows implements RowMembers {
  readonly asked = [productStatusMember];

  membersOf(_run: number, _asked: string, json: Buffer): string {
    const { product_status: status } = parse(json);
    const [, word] =
      Object.entries(groups).find(([name]) => {
        const products = status?.[name];
        return Array.isArray(products) && products.length > 0;
      }) ?? [];
    return word === undefined ? '' : `"${productStatusMember}":"${word}",`;
  }
}

interface Vulnerability {
  readonly product_status?: Readonly<Record<string, unknown>> | null;
}

function parse(json: Buffer): Vulnerability {
  try {
    return JSON.parse(json.toString('utf8')) as Vulnerability;
  } catch {
    return {};
  }
}
