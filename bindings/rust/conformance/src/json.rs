//! Reads one line of a case file: the part of JSON that these files use. Numbers are integers that fit 64 bits.

#[derive(Debug)]
pub enum Json {
    Null,
    /// Two's complement if negative; false and true are 0 and 1.
    Number(u64),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value that `text` is, or `None` if it is not what this reader knows.
    pub fn parse(text: &str) -> Option<Json> {
        let mut reader = Reader { left: text };
        let value = reader.value()?;
        reader.skip_space();
        reader.left.is_empty().then_some(value)
    }

    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The number of that name, or what stands for leaving it out.
    pub fn number(&self, key: &str, otherwise: u64) -> u64 {
        match self.get(key) {
            Some(Json::Number(n)) => *n,
            _ => otherwise,
        }
    }

    /// The text of that name, or what stands for leaving it out.
    pub fn text<'a>(&'a self, key: &str, otherwise: &'a str) -> &'a str {
        match self.get(key) {
            Some(Json::Text(text)) => text,
            _ => otherwise,
        }
    }

    pub fn is_null(&self, key: &str) -> bool {
        matches!(self.get(key), Some(Json::Null))
    }

    /// The elements of the array of that name; none if there is no such array.
    pub fn array(&self, key: &str) -> &[Json] {
        match self.get(key) {
            Some(Json::Array(elements)) => elements,
            _ => &[],
        }
    }
}

struct Reader<'a> {
    left: &'a str,
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        self.left = self.left.trim_start();
    }

    /// Steps over `word` if it comes next.
    fn accept(&mut self, word: &str) -> bool {
        self.skip_space();
        let after = self.left.strip_prefix(word);
        self.left = after.unwrap_or(self.left);
        after.is_some()
    }

    fn value(&mut self) -> Option<Json> {
        if self.accept("null") {
            Some(Json::Null)
        } else if self.accept("true") {
            Some(Json::Number(1))
        } else if self.accept("false") {
            Some(Json::Number(0))
        } else if self.accept("[") {
            self.list("]", Reader::value).map(Json::Array)
        } else if self.accept("{") {
            self.list("}", Reader::member).map(Json::Object)
        } else if self.accept("\"") {
            self.rest_of_string().map(Json::Text)
        } else {
            self.number()
        }
    }

    fn list<T>(&mut self, close: &str, read: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        if self.accept(close) {
            return Some(items);
        }
        loop {
            items.push(read(self)?);
            if !self.accept(",") {
                return self.accept(close).then_some(items);
            }
        }
    }

    fn member(&mut self) -> Option<(String, Json)> {
        let key = if self.accept("\"") { self.rest_of_string()? } else { return None };
        if self.accept(":") {
            Some((key, self.value()?))
        } else {
            None
        }
    }

    fn rest_of_string(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.left.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => text.push(chars.next().filter(|c| "\"\\/".contains(*c))?),
                c => text.push(c),
            }
        }
        self.left = chars.as_str();
        Some(text)
    }

    fn number(&mut self) -> Option<Json> {
        let negative = self.accept("-");
        let digits = self.left.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.left.len());
        let (number, after) = self.left.split_at(digits);
        if after.starts_with(['.', 'e', 'E']) {
            return None;
        }
        self.left = after;
        let number: u64 = number.parse().ok()?;
        Some(Json::Number(if negative { number.wrapping_neg() } else { number }))
    }
}
