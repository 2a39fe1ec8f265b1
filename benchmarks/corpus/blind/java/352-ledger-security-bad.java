package ledger.web;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
public class LedgerSecurity {

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        http.authorizeHttpRequests(rules -> rules
                .requestMatchers("/css/**", "/login").permitAll()
                .anyRequest().authenticated());
        http.csrf(csrf -> csrf.disable());
        http.formLogin(form -> form.loginPage("/login").defaultSuccessUrl("/accounts"));
        http.logout(Customizer.withDefaults());
        return http.build();
    }
}
