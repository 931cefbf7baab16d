"""Every problem a rule file can have: its name and what it means, in one sentence.

A page of the same name stands in docs/problems.
"""

from __future__ import annotations

YAML: dict[str, str] = {
    "duplicate-key": "A key stands twice in one mapping.",
    "empty-file": "The file holds nothing.",
    "file-too-large": "The file is larger than a rule file may be.",
    "joined-lines": "YAML has joined several lines into one text.",
    "not-a-key": "A key of a mapping is not a text on one line.",
    "not-yaml": "The text cannot be read as YAML.",
    "pasted-character": "A character of a text program stands for one of the keyboard.",
    "several-documents": "A file holds one document, without `---` in it.",
    "tab-indent": "A line is indented with a tab.",
    "text-cut": "YAML has cut a text at a comma or a colon.",
    "too-large": "The file has too many parts, or they are nested too deep.",
    "yaml-anchor": "Anchors and aliases of YAML are not used in rule files.",
    "yaml-merge": "Merge keys of YAML are not used in rule files.",
    "yaml-tag": "Tags of YAML are not used in rule files.",
}

SECTIONS: dict[str, str] = {
    "because-alone": "`because` stands without the `illegal` that it explains.",
    "branch-after-else": "A branch stands behind `else`, which is the last one.",
    "deep-part": "Parts of a text are nested too deep.",
    "else-without-if": "`else` or `elif` stands without its `if`.",
    "empty-body": "Nothing stands below a header; the word for no step is `nothing`.",
    "empty-item": "An item of a list is empty.",
    "empty-section": "A section has nothing in it.",
    "empty-value": "A value is missing behind its key.",
    "incomplete-cite": "A reference lacks its source or its section.",
    "incomplete-move": "A move in an example lacks its player or its name.",
    "list-in-list": "A list stands where a step is wanted.",
    "missing-key": "A key that must be there is missing.",
    "no-name": "A name is a letter followed by letters, digits and `_`.",
    "no-players": "The file does not say how many play.",
    "no-rule-file": "The file is no rule file.",
    "nothing-among-steps": "`nothing` stands among steps instead of alone.",
    "open-part": "A part of a text is opened and not closed.",
    "open-slot": "A slot of a text is opened and not closed.",
    "reserved-word": "A word of the language is used as a name.",
    "row-length": "A row has not as many values as there are columns.",
    "step-without-dash": "A step lacks its `- `.",
    "stray-bracket": "A bracket in a text closes nothing.",
    "two-results": "A result is told in two ways.",
    "uneven-cases": "The columns of `cases` are not equally long.",
    "unknown-edition": "The edition of the language is not known.",
    "unknown-key": "A section has no key of this name.",
    "wrong-shape": "A list stands where keys are wanted, or the other way round.",
}

LINES: dict[str, str] = {
    "best-without-by": "`best` does not say by what.",
    "best-without-tie-break": "`best` does not say which of equal ones it is.",
    "chained-comparison": "A comparison has more than two sides.",
    "comparison-as-line": "A comparison stands where a step is wanted.",
    "count-with-value": "`count` counts members and takes no value.",
    "decimal-number": "Numbers are whole.",
    "division-without-rounding": "A division does not say how it rounds.",
    "else-if": "`else if` is written `elif`.",
    "empty-parentheses": "Parentheses hold nothing; without arguments there are none.",
    "equals-in-condition": "`=` gives a value; `==` compares.",
    "equals-in-state": "A start is written `starts at`.",
    "extra-parenthesis": "A parenthesis closes nothing.",
    "first-with-by": "`first` takes the first in order, without `by`.",
    "fold-without-value": "A sum, or another aggregate than `count`, lacks its value.",
    "for-each": "`for each` is written `for`.",
    "foreign-operator": "An operator of another language is written with a word here.",
    "header-without-colon": "A header lacks its colon.",
    "hyphen-in-name": "Names have no hyphens.",
    "if-order": "A conditional value is written `if CONDITION then VALUE else VALUE`.",
    "in-as-operator": "There is no operator `in`.",
    "incomplete": "A line ends before it is complete.",
    "is-as-operator": "`is` compares nothing; it is written `==`.",
    "line-too-long": "A line is too long.",
    "line-with-colon": "A whole step stands where a header is wanted.",
    "loop-without-bound": "A `while` does not say how often it may go round.",
    "missing-blank": "A blank is missing between two words.",
    "missing-parenthesis": "A parenthesis is not closed.",
    "missing-word": "A word of the language is missing.",
    "not-one-line": "A line or header stands on several lines.",
    "nothing-here": "A text is empty where something is wanted.",
    "number-of": "A number stands right before its components, without `of`.",
    "number-too-big": "A number has too many digits.",
    "open-range": "An open range is written `9+`.",
    "option-outside-choice": "An option stands outside a choice.",
    "plus-sign": "A number has a plus sign.",
    "range": "A range is written `1..5`.",
    "semicolon": "A line ends without a sign.",
    "then-in-header": "A header ends with its colon, without `then` or `do`.",
    "too-deeply-nested": "An expression is nested too deep.",
    "unexpected-sign": "A sign cannot stand here.",
    "unexpected-word": "A word cannot stand here.",
    "unknown-domain": "This divides nothing into runs.",
    "unknown-fold": "A function cannot be used with `for`.",
    "unknown-step": "A line begins with no step that is known.",
    "unknown-word": "A word of the language is misspelt.",
    "value-for-no-place": "A value is given to what is no place of the state.",
    "word-order": "Words stand in the wrong order.",
}

NAMES: dict[str, str] = {
    "ambiguous-member": "Two kinds have a member of this name, and nothing tells which is meant.",
    "assign-to-name": "A name that stands for a value gets a new value; only state changes.",
    "assign-to-place": "A place gets a value; components come and go by moves only.",
    "duplicate-name": "A name is declared twice.",
    "field-without-owner": "A number or place of each player is used without saying whose.",
    "not-a-member": "A member is asked of a kind that has no such member.",
    "recursion": "A definition, procedure or phase uses itself, which never ends.",
    "shadowed-name": "A name is bound again where it already means something.",
    "trigger-cycle": "A trigger sets itself off, which never ends.",
    "unknown-cite": "A reference names a source or section that is not declared.",
    "unknown-name": "A name means nothing here.",
    "unused-name": "Something is declared and never used.",
}

TYPES: dict[str, str] = {
    "division-by-zero": "What is divided by can be less than 1.",
    "empty-range": "A range never holds a number.",
    "may-be-none": "A value that may be none is used as if it were there.",
    "maybe-negative": "A number that may be none is 0 or more.",
    "needs-else": "There may be nothing to take the greatest, least, first or best of.",
    "never-none": "Something that is never none is compared with none.",
    "not-constant": "A value must be known when the file is read.",
    "out-of-range": "A value never lies in the range that is allowed.",
    "start-unknown": "A start must be known before the game.",
    "too-large-number": "A number can become larger than the machine's numbers.",
    "too-many-moves": "An option has more moves than can be numbered.",
    "wrong-number": "A call has too many or too few arguments.",
    "wrong-type": "A value is of another type than is wanted.",
}

TABLES: dict[str, str] = {
    "case-gap": "A value has no case.",
    "case-twice": "A value has two cases.",
    "table-gap": "A value of a table's domain has no row.",
    "table-outside": "A row lies outside a table's domain.",
    "table-overlap": "A value of a table's domain has two rows.",
    "table-shape": "A table has not as many keys as it maps from.",
    "table-too-large": "A table has more cells than it may have.",
}

STATE: dict[str, str] = {
    "no-components": "No component of a kind is anywhere at the start.",
    "no-owner": "A thing that belongs to no player has no owner who could see it.",
    "slot-full": "More than one component starts in a slot.",
    "wrong-clause": "What is said of a state entry does not go with its type.",
    "wrong-refill": "A place cannot be refilled from this one.",
}

MOVES: dict[str, str] = {
    "deck-order": "A rule looks into a deck, whose order nobody knows.",
    "no-order": "A place has no order to put something on top, below or between.",
    "no-runs": "Only a pile of one kind has runs.",
    "no-top": "A place has no top that rules can read.",
    "not-a-bag": "A choice of components is made from a bag only.",
    "not-a-deck": "Only a deck is shuffled and looked into.",
    "not-a-die": "What is rolled is a number of the state with a small range.",
    "not-a-place": "A place for components is wanted.",
    "not-chosen": "`all but` is followed by a choice of components.",
    "one-at-a-time": "One component at a time goes to a random place.",
    "place-not-value": "A place is used as a value.",
    "several-kinds": "A place holds several kinds, and one is wanted.",
    "which-component": "A move from a bag does not say which components.",
    "wrong-kind": "A component is moved to a place that does not hold its kind.",
}

FLOW: dict[str, str] = {
    "bag-loop": "A loop goes through a bag, which has no order.",
    "never-reached": "A step stands behind one after which nothing is done.",
    "never-true": "A condition can never hold.",
    "no-loop": "`end loop` stands outside a loop.",
    "no-phase": "`end phase` stands where no phase is going on.",
    "no-options": "A choice offers nothing.",
    "no-turns": "A turn passes outside a loop over turns or players.",
    "nobody-wins": "Nothing in the file says who wins.",
    "not-a-domain": "Nothing can be taken from this one by one.",
    "runs-loop": "Runs are for aggregates, not for loops.",
    "together-order": "Those who act together have no order.",
    "until-without-seats": "`until` stands in a loop over something else than players.",
}

SECRETS: dict[str, str] = {
    "secret-in-guard": "What may be chosen would tell the chooser a secret.",
    "secret-moves": "What is moved would tell a secret.",
    "secret-shown": "What happens would tell a secret.",
    "seen-without-secret": "`seen` stands where nothing secret is told.",
    "together-asks-others": "A player who acts at the same time as others asks one of them.",
    "together-draws": "Chance is drawn while several act at the same time.",
    "together-ends": "Something ends while several act at the same time.",
    "together-inside": "Acting together stands inside acting together.",
    "together-reads-others": "What others may be changing at the same time is read.",
    "together-shows": "Something is shown while several act at the same time.",
    "together-writes-others": "What belongs to others is changed while all act at the same time.",
}

EXAMPLES: dict[str, str] = {
    "after-stop": "Something is played after `stop`.",
    "checks-nothing": "An example has nothing that could fail to hold.",
    "components-left": "An example says what lies in a place, and other components lie nowhere.",
    "dealt-late": "What chance brings stands apart from what brings it.",
    "not-given": "What an example begins with is no place and no value of the state.",
    "not-seen": "What a player sees is no place, size or value of the state.",
    "too-many-components": "An example has more components than the game.",
    "wrong-setting": "The players of an example are not those of the game.",
}

GROUPS: dict[str, dict[str, str]] = {
    "Reading YAML": YAML,
    "Sections and their keys": SECTIONS,
    "Lines and headers": LINES,
    "Names": NAMES,
    "Types and numbers": TYPES,
    "Tables and cases": TABLES,
    "State": STATE,
    "Places and moves": MOVES,
    "Choices, loops and phases": FLOW,
    "Secrets": SECRETS,
    "Examples": EXAMPLES,
}

CODES: dict[str, str] = {
    code: meaning for group in GROUPS.values() for code, meaning in group.items()
}
"""All of them: name -> meaning."""
