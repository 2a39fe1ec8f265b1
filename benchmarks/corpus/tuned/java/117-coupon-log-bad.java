package com.example.coupons;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.server.ResponseStatusException;

@Controller
public class CouponController {
    private static final Logger LOG = LoggerFactory.getLogger(CouponController.class);
    private final CouponService coupons;

    public CouponController(CouponService coupons) {
        this.coupons = coupons;
    }

    @PostMapping("/coupons/check")
    @ResponseBody
    public int check(@RequestParam("campaign") String campaign) {
        String label = campaign.strip();
        Integer percent = coupons.discountFor(label);
        if (percent == null) {
            LOG.warn("no discount for campaign " + label);
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return percent;
    }
}
