import { expect, test } from 'vitest';
import { markdownOf } from './markdown-of.ts';

/* Descriptions in HTML as other systems write them. */

test.each([
  ['<p>Hello <b>bold </b>text &amp; more</p><p>A<br>B</p>', 'Hello **bold** text & more\n\nA  \nB'],
  ['<ul><li>one</li><li>two<ul><li>in</li></ul></li><li>three</li></ul>', '- one\n- two\n  - in\n- three'],
  ['<ol><li><p>a</p><p>b</p></li><li>c</li></ol>', '1. a\n\n   b\n2. c'],
  ['<h2>Title</h2><hr><blockquote><p>q1</p><p>q2</p></blockquote>z', '## Title\n\n---\n\n> q1\n>\n> q2\n\nz'],
  ['<a href="https://x.test/a(b)">link <i>it</i></a>', '[link *it*](https://x.test/a%28b%29)'],
  ['<a href="javascript:alert(1)">bad</a><script>x</script><img src="a.png">', 'bad'],
  ['<b><p>x</p><p>y</p></b>', '**x**\n\n**y**'],
  ['<div>1. a</div><div>- b * c</div><div># d</div>', '1\\. a\n\n\\- b \\* c\n\n\\# d'],
  ['<table><tr><td>THC</td><td>22%</td></tr><tr><td>CBD</td><td>1%</td></tr></table>', 'THC 22%\n\nCBD 1%'],
  ['5 < 6 and a <b c', '5 < 6 and a <b c'],
  ['Tom &amp; Ada&#39;s', "Tom & Ada's"],
])('%j becomes %j', (html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});
