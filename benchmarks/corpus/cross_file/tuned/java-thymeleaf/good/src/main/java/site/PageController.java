package site;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

@Controller
public class PageController {
    @GetMapping("/search")
    public String search(@RequestParam String term, Model model) {
        model.addAttribute("term", term);
        return "search";
    }
}
