/** A complete tag, end tag or declaration. */
const TAG = /<\/?[a-z!][^<>]*>/i

/** The beginning of a comment, declaration, processing instruction or end tag. */
const OPENED = /<(?:\/[a-z]|\?[a-z]|!(?:--|\[|[a-z]))/i

/** Elements that act by themselves, or swallow the text after them. The rest of a page would supply the closing bracket. */
const ACTIVE =
  /<(?:script|style|iframe|frameset|frame|object|embed|applet|meta|svg|math|img|template|noscript|noembed|noframes|plaintext|xmp|textarea|marquee)(?=[\s/>]|$)/i

/** Any other element with an attribute that runs code or loads another URL. */
const ATTRIBUTE =
  /<[a-z][^<>]*[\s/"'](?:on[a-z]{3,}|href|xlink:href|src|srcset|srcdoc|style|action|formaction|http-equiv|poster|background)\s*=/i

/** Whether a text holds HTML, even without its closing bracket. `a < b`, `<3` and `x<5mm` are not HTML. */
export const containsHtml = (text: string): boolean => [TAG, OPENED, ACTIVE, ATTRIBUTE].some((pattern) => pattern.test(text))
