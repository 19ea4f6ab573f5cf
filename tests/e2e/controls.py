"""Pages that are wrong on purpose, for test_browser.py: a check that finds nothing here would find nothing anywhere."""

# Nothing is wrong here, though much is close to it.
GOOD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title></head>
<body><header><h1>A page</h1></header><nav aria-label="Sections"><a href="#s">Section</a></nav>
<main><section id="s"><h2>Section</h2>
<p>A text, <a href="https://example.org/" rel="noopener">a link</a> and <button type="button">a button</button></p>
<div class="scroll" tabindex="0" style="overflow-x: auto"><pre style="overflow: visible; width: 3000px">wide</pre></div>
<table><thead><tr><th scope="col">Name</th></tr></thead><tbody><tr><td>x</td></tr></tbody></table>
<ul><li>One</li></ul><p style="unicode-bidi: isolate">\u202eturned</p><p style="color: #666">gray enough</p>
<svg role="img" aria-label="A drawing" viewBox="0 0 99 9"><g><rect width="99" height="9" fill="#000"></rect>
<text fill="#fff">x</text></g></svg>
%s
</section></main><footer><p>End</p></footer></body></html>
"""
CHECKS = {  # each check of page_checks.js that returns complaints, and what it is called with
    "pwned": (), "links": (), "structure": (), "alternatives": (), "tables": (), "lists": (), "directions": (),
    "controls": (), "contrast": (), "sideways": (), "brokenWords": (),
    "missing": ([["a button", "text"]],), "revealed": ("s",),
}
BAD = [  # a check, and what it must see
    ("pwned", "<script>window.pwned = 1</script>"),
    ("links", "<p id='s'>the same id</p>"),
    ("links", "<a href='#gone'>to nothing</a>"),
    ("links", "<a href='javascript:void(0)'>a script</a>"),
    ("links", "<a href='https://example.org/'>says where it is from</a>"),
    ("links", "<a class='file' href='../x'>out of the folder</a>"),
    ("links", "<label for='gone'>of nothing</label>"),
    ("structure", "<h4>too deep</h4>"),
    ("structure", "<h3></h3>"),
    ("structure", "<h1>a second one</h1>"),
    ("structure", "</section><section><p>without a heading</p>"),
    ("alternatives", "<img src='data:,'>"),
    ("alternatives", "<svg></svg>"),
    ("tables", "<table><tbody><tr><td>no header</td></tr></tbody></table>"),
    ("tables", "<table><thead><tr><th>no scope</th></tr></thead></table>"),
    ("tables", "<table><thead><tr><th scope='col'></th></tr></thead></table>"),
    ("tables", "<table><thead><tr><th scope='col'>a</th><td>b</td></tr></thead></table>"),
    ("tables", "<table><thead><tr><th scope='col'>a</th></tr></thead><tr><td>b</td><td>c</td></tr></table>"),
    ("lists", "<ul></ul>"),
    ("lists", "<ol><p>no item</p></ol>"),
    ("directions", "<span>\u202eturned</span>"),
    ("controls", "<button></button>"),
    ("controls", "<a href='#s' tabindex='-1'>out of reach</a>"),
    ("controls", "<a href='#s' tabindex='1'>first</a>"),
    ("controls", "<p role='button'>out of reach</p>"),
    ("contrast", "<p style='color: #777'>too dim</p>"),
    ("contrast", "<div style='background: #444'><p>too dark</p></div>"),
    ("contrast", "<svg role='img' aria-label='x'><rect fill='#888'></rect><text fill='#fff'>too bright</text></svg>"),
    ("sideways", "<p style='width: 3000px'>wide</p>"),
    ("sideways", "<p>" + "W" * 500 + "</p>"),
    ("brokenWords", "<p class='badge' style='width: 2em; overflow-wrap: anywhere'>incomplete</p>"),
]
ATTRIBUTES = ["lang", "charset", "aria-label", "class", "id", "href", "rel", "type", "tabindex", "style", "scope",
              "role", "viewBox", "width", "height", "fill"]  # of the page above
FOREIGN = ["<p onclick='x'>x</p>", "<iframe></iframe>", "<script>2</script>", "<script src='data:,1'></script>",
           "<script type='text/plain' id='block-0'><b></script>", "<img src='data:,'>", "<a href='#s' download>x</a>"]
UNSEEN = ["<p hidden>a text</p>", "<script type='text/plain'>a text</script>", "<p>a <b>text</b></p>",
          "<p title='a text'>x</p>", "<p style='visibility: hidden'>a text</p>"]
POLICY = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'\">"
LOUD = ["<script>console.warn('x')</script>", "<script>throw new Error('x')</script>",
        "<script>Promise.reject(new Error('x'))</script>", POLICY + "<script>1</script>",
        POLICY + "<p style='color: red'>x</p>", POLICY + "<p onclick='x'>x</p>"]
FETCHING = ["<img src='http://127.0.0.1:9/x.png' alt=''>", "<link rel='stylesheet' href='other.css'>",
            "<iframe src='other.html'></iframe>", "<script>fetch('http://127.0.0.1:9/').catch(() => {})</script>"]
INTRUDERS = [  # each would run or fetch something in a page without a policy
    "<img src='x' onerror='window.pwned = 1'>", "<svg onload='window.pwned = 1'></svg>",
    "<script>window.pwned = 1</script>",
    "<script src='http://127.0.0.1:9/x.js'></script>", "<a href='javascript:window.pwned = 1'>x</a>",
    "<img src='http://127.0.0.1:9/x.png'>", "<iframe src='http://127.0.0.1:9/'></iframe>",
    "<object data='http://127.0.0.1:9/'></object>", "<link rel='stylesheet' href='http://127.0.0.1:9/x.css'>",
    "<video src='http://127.0.0.1:9/'></video>", "<p style='background: url(http://127.0.0.1:9/)'>x</p>",
    "<style>p { background: url(http://127.0.0.1:9/) }</style>", "<base href='http://127.0.0.1:9/'>",
    "<form action='http://127.0.0.1:9/'><button>x</button></form>",
]
# Where a report is changed, and how: a pattern, and what stands in its place.
SABOTAGE = {
    "a payload that is cut": (r'data-length="(\d+)"', 'data-length="3"'),
    "a payload at another place": (r'data-offset="(\d+)"', 'data-offset="7"'),
    "a payload of another name": (r'data-name="\w+"', 'data-name="other"'),
    "a block that is damaged": (r'(id="block-0">.{40}).{40}', r"\1"),
    "a script that is not ours": (r'"use strict";', '"use strict"; '),
}
