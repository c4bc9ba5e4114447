import { RefusedError, type DemoRequest, type DemoResponse } from './exchange';

/**
 * How requests are answered, by method and path, such as `GET /portfolios/*`. The function gets the decoded parts of
 * the path that `*` stands for. `GET` allows HEAD, too.
 */
export type Routes = Readonly<
  Record<string, (request: DemoRequest, ...parts: string[]) => DemoResponse | Promise<DemoResponse>>
>;

/** Answers a request by the route of its path. @throws RefusedError if there is none */
export async function answer(routes: Routes, request: DemoRequest): Promise<DemoResponse> {
  const parts = segments(request.path);
  const { method = '' } = request.message;
  let allowed: string[] = [];
  for (const [route, respond] of Object.entries(routes)) {
    const [named = '', path = ''] = route.split(' ');
    const pattern = path.split('/').slice(1);
    const isOf = (part: string, at: number) => part === '*' || part === parts[at];
    if (pattern.length !== parts.length || !pattern.every(isOf)) {
      continue;
    }
    const methods = named === 'GET' ? ['GET', 'HEAD'] : [named];
    if (methods.includes(method)) {
      return respond(request, ...parts.filter((_, at) => pattern[at] === '*'));
    }
    allowed = methods;
  }
  throw allowed.length === 0
    ? new RefusedError(404, 'not found', { key: 'not_found' })
    : new RefusedError(405, `${method} is not allowed here.`, {
        key: 'method_not_allowed',
        headers: { Allow: allowed.join(', ') },
      });
}

function segments(path: string): string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    throw new RefusedError(400, 'The path is not valid percent-encoding.', { key: 'bad_request' });
  }
}
