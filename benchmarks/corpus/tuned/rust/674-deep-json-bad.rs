#[derive(Debug)]
pub enum Node {
    Leaf(char),
    Group(Vec<Node>),
}

pub fn parse(text: &[char], at: &mut usize, depth: u32) -> Result<Node, String> {
    match text.get(*at) {
        Some('(') => {
            *at += 1;
            let mut children = Vec::new();
            while text.get(*at) != Some(&')') {
                children.push(parse(text, at, depth + 1)?);
            }
            *at += 1;
            Ok(Node::Group(children))
        }
        Some(&other) => {
            *at += 1;
            Ok(Node::Leaf(other))
        }
        None => Err("unexpected end".into()),
    }
}
